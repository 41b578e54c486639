/**
 * The chat for Vue 3: a component, and a composable for whoever wants the chat itself. On a server it does nothing. It
 * does not know what the options mean.
 */
import {
  type AllowedComponentProps,
  type ComponentCustomProps,
  type ComponentPublicInstance,
  defineComponent,
  getCurrentInstance,
  h,
  type MaybeRefOrGetter,
  onActivated,
  onBeforeUnmount,
  onBeforeUpdate,
  onDeactivated,
  onMounted,
  type PropType,
  ref,
  type ShallowRef,
  shallowRef,
  toValue,
  type VNodeProps,
  watch,
} from 'vue';
import { eventNames } from '../event-names.js';
import type { Events, Listener, Parley, ParleyOptions } from '../index.js';
import { createKeeper } from './keep.js';

/** Reads all of it, so that a change in its depth is seen, and keeps what it said. */
function copy<T>(value: T): T;
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
}

/**
 * @param options may be reactive; without any there is no chat
 * @returns the chat, once the component is on the page
 */
export function useParley(
  options: MaybeRefOrGetter<ParleyOptions | undefined>,
): Readonly<ShallowRef<Parley | undefined>> {
  const chat = shallowRef<Parley>();
  const keeper = createKeeper((made) => {
    chat.value = made;
  });
  /** Within `<KeepAlive>` a component outlives the time that it is on the page. */
  const here = ref(false);
  onMounted(() => {
    here.value = true;
    watch(() => (here.value ? copy(toValue(options)) : undefined), keeper.take, {
      immediate: true,
      flush: 'post',
    });
  });
  onActivated(() => {
    here.value = true;
  });
  onDeactivated(() => {
    here.value = false;
  });
  onBeforeUnmount(keeper.end);
  return chat;
}

/** What a template may write. */
export type ParleyChatProps = {
  options: Omit<ParleyOptions, 'inside'>;
  /** The chat lies where the component does, without a launcher, and fills it. */
  inline?: boolean | undefined;
} & { [E in keyof Events as `on${Capitalize<E>}`]?: ((detail: Events[E]) => unknown) | undefined };

/** Written, because what TypeScript would write down is of one version of Vue alone. */
export type ParleyChatComponent = new () => ComponentPublicInstance<
  ParleyChatProps & VNodeProps & AllowedComponentProps & ComponentCustomProps
> & {
  chat: Parley | undefined;
};

/** A chat on the page as long as this is. A template ref to it has the chat itself as `chat`. */
export const ParleyChat: ParleyChatComponent = defineComponent({
  name: 'ParleyChat',
  props: {
    options: { type: Object as PropType<Omit<ParleyOptions, 'inside'>>, required: true },
    /** The chat lies where the component does, without a launcher, and fills it. */
    inline: { type: Boolean, default: false },
  },
  emits: {
    ready: (_: Events['ready']) => true,
    open: (_: Events['open']) => true,
    close: (_: Events['close']) => true,
    message: (_: Events['message']) => true,
    unread: (_: Events['unread']) => true,
    conversation: (_: Events['conversation']) => true,
    status: (_: Events['status']) => true,
    action: (_: Events['action']) => true,
    identify: (_: Events['identify']) => true,
    error: (_: Events['error']) => true,
  },
  setup(props, { emit }) {
    const place = shallowRef<HTMLElement>();
    const chat = useParley(() =>
      props.inline ? place.value && { ...props.options, inside: place.value } : props.options,
    );
    const tell: { [E in keyof Events]: Listener<E> } = {
      ready: (detail) => emit('ready', detail),
      open: (detail) => emit('open', detail),
      close: (detail) => emit('close', detail),
      message: (detail) => emit('message', detail),
      unread: (detail) => emit('unread', detail),
      conversation: (detail) => emit('conversation', detail),
      status: (detail) => emit('status', detail),
      action: (detail) => emit('action', detail),
      identify: (detail) => emit('identify', detail),
      error: (detail) => emit('error', detail),
    };
    const instance = getCurrentInstance();
    const wanted = new Set<keyof Events>();
    const hear = <E extends keyof Events>(event: E) => chat.value?.on(event, tell[event]);
    /** Who listens for nothing does not make the chat fetch what tells. */
    const look = () => {
      const given = Object.keys(instance?.vnode.props ?? {}).map((key) =>
        // As `.once` and its like are written.
        key.toLowerCase().replace(/(?:once|capture|passive)+$/, ''),
      );
      for (const name of eventNames) {
        if (wanted.has(name) || !given.includes(`on${name}`)) continue;
        wanted.add(name);
        hear(name);
      }
    };
    look();
    onBeforeUpdate(look);
    watch(chat, () => {
      for (const name of wanted) hear(name);
    });
    return { chat, place };
  },
  render() {
    return this.inline ? h('div', { ref: 'place' }) : null;
  },
});
