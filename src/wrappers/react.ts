/**
 * The chat for React, 18 and newer: a component, and a hook for whoever wants the chat itself. Under StrictMode, which
 * takes everything down once to see whether it comes back, it comes back. It does not know what the options mean.
 */
import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { eventNames } from '../event-names.js';
import type { Events, Listener, Parley, ParleyOptions } from '../index.js';
import { createKeeper, type Keeper } from './keep.js';

/** One for each event of the chat, `onUnread` for `unread`. */
export type ParleyHandlers = { [E in keyof Events as `on${Capitalize<E>}`]?: Listener<E> | undefined };

export interface ParleyChatProps extends Omit<ParleyOptions, 'inside'>, ParleyHandlers {
  /** The chat lies where the component does, without a launcher, and fills it. */
  inline?: boolean | undefined;
  /** Of the element around it, with `inline`. */
  className?: string | undefined;
}

type Heard = { [E in keyof Events]: Listener<E> | undefined };

const heard = (handlers: ParleyHandlers): Heard => ({
  ready: handlers.onReady,
  open: handlers.onOpen,
  close: handlers.onClose,
  message: handlers.onMessage,
  unread: handlers.onUnread,
  conversation: handlers.onConversation,
  status: handlers.onStatus,
  action: handlers.onAction,
  identify: handlers.onIdentify,
  error: handlers.onError,
});

/**
 * @param options compared by what they say, so they may be written in the call; without any there is no chat
 * @returns the chat, once the component is on the page
 */
export function useParley(
  options: ParleyOptions | undefined,
  handlers: ParleyHandlers = {},
): Parley | undefined {
  return useChat(options, handlers, false);
}

/** @param waits what is to be comes with the next look, and until then all is as it was */
function useChat(
  options: ParleyOptions | undefined,
  handlers: ParleyHandlers,
  waits: boolean,
): Parley | undefined {
  const [chat, setChat] = useState<Parley>();
  const keeper = useRef<Keeper>(undefined);
  const latest = useRef<Heard>(undefined);

  useEffect(() => {
    latest.current = heard(handlers);
  });
  useEffect(() => {
    const made = createKeeper(setChat);
    keeper.current = made;
    return made.end;
  }, []);
  useEffect(() => {
    if (!waits) keeper.current?.take(options);
  });

  // Who listens for nothing does not make the chat fetch what tells. Each for itself: `ready` is told to whoever begins
  // to listen, and that is nobody to whom it was told.
  const now = heard(handlers);
  for (const name of eventNames) {
    const wanted = now[name] !== undefined;
    useEffect(() => {
      const hear = <E extends keyof Events>(event: E) =>
        chat?.on(event, (detail) => latest.current?.[event]?.(detail));
      return wanted ? hear(name) : undefined;
    }, [chat, name, wanted]);
  }
  return chat;
}

/** A chat on the page as long as this is. Its `ref` is the chat itself. */
export const ParleyChat: ForwardRefExoticComponent<ParleyChatProps & RefAttributes<Parley | undefined>> =
  forwardRef<Parley | undefined, ParleyChatProps>(function ParleyChat(props, ref) {
    const {
      inline,
      className,
      onReady,
      onOpen,
      onClose,
      onMessage,
      onUnread,
      onConversation,
      onStatus,
      onAction,
      onIdentify,
      onError,
      ...options
    } = props;
    const [place, setPlace] = useState<HTMLElement | null>(null);
    // Who ends in between forgets what calls have said.
    const waits = inline === true && !place;
    const chat = useChat(inline && place ? { ...options, inside: place } : options, props, waits);
    useImperativeHandle(ref, () => chat, [chat]);
    return inline ? createElement('div', { ref: setPlace, className }) : null;
  });
