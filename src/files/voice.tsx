/** Records what the visitor says, for five minutes at most, which it says before. It does not know what becomes of it. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useSurroundings, type VoiceSlot } from '../ui/context.js';
import { CloseIcon } from '../ui/icons.js';

const LONGEST_S = 300;
/** From here on it ends soon. */
const SOON_S = 270;

const endOf = (type: string) => (/mp4|aac/.test(type) ? 'm4a' : /ogg/.test(type) ? 'ogg' : 'webm');

export function Voice({ covered, onEnd }: VoiceSlot): JSX.Element {
  const { chat, say, locale, layer } = useSurroundings();
  const [seconds, setSeconds] = useState(-1);
  const discard = useRef<HTMLButtonElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const stop = useRef((_keep: boolean) => onEnd());
  const limit = () => say('recordingLimit', { minutes: LONGEST_S / 60 });

  useEffect(() => {
    let ended = false;
    let silence = () => {};
    let timer: ReturnType<typeof setInterval> | undefined;
    function record(stream: MediaStream) {
      silence = () => {
        clearInterval(timer);
        for (const track of stream.getTracks()) track.stop();
      };
      if (ended) return silence();
      const recorder = new MediaRecorder(stream);
      const parts: Blob[] = [];
      const startedAt = performance.now();
      let kept = true;
      const why: string[] = [];
      recorder.ondataavailable = ({ data }) => parts.push(data);
      recorder.onstop = () => {
        silence();
        // Firefox's recorder knows its own type only while it records.
        const type = (parts[0]?.type || recorder.mimeType).split(';')[0] ?? '';
        // Also of a recorder that has gone: what was said stays.
        if (kept || !ended)
          onEnd(kept ? new File(parts, `voice-message.${endOf(type)}`, { type }) : undefined, ...why);
      };
      stop.current = (keep) => {
        kept = keep;
        if (recorder.state !== 'inactive') recorder.stop();
      };
      recorder.start();
      setSeconds(0);
      timer = setInterval(() => {
        const passed = Math.floor((performance.now() - startedAt) / 1000);
        setSeconds(passed);
        if (passed < LONGEST_S) return;
        why[0] = limit();
        stop.current(true);
      }, 250);
    }
    navigator.mediaDevices
      .getUserMedia({ audio: true })
      .then(record)
      .catch(
        ({ name }) =>
          ended ||
          onEnd(undefined, say(name === 'NotAllowedError' ? 'microphoneRefused' : 'microphoneMissing')),
      );
    // Nobody is recorded behind a closed window, nor for another conversation or as somebody else.
    const end = () => stop.current(true);
    const stops = [
      chat.$open.listen((open) => open || end()),
      chat.$home.listen((_, before) => before && end()),
      chat.$rows.listen((rows) => rows || end()),
    ];
    return () => {
      ended = true;
      for (const undo of stops) undo();
      silence();
    };
  }, []);
  useEffect(() => {
    if (covered) stop.current(true);
  }, [covered]);
  // Whoever wants it closed does not want the window closed, nor lose what was said.
  useLayoutEffect(() => layer?.(() => stop.current(true)), []);
  const digits = (count: number, least = 1) => count.toLocaleString(locale, { minimumIntegerDigits: least });
  const clock = (s: number) => `${digits(Math.floor(s / 60))}:${digits(s % 60, 2)}`;
  const recording = seconds >= 0;
  useLayoutEffect(() => {
    // A microphone may come late: who has gone on meanwhile stays there. Safari gives a pressed button no focus.
    const waits =
      document.activeElement === document.body || discard.current?.matches(':focus, dialog:focus *');
    if (!recording) discard.current?.focus();
    else if (waits) button.current?.focus();
  }, [recording]);

  return (
    <div class="voice">
      <button
        ref={discard}
        type="button"
        class="tool"
        aria-label={say('discardRecording')}
        onClick={() => stop.current(false)}
      >
        <CloseIcon />
      </button>
      <span class="sr" role="status">
        {recording ? (
          <>
            {seconds < SOON_S ? say('recording') : clock(SOON_S)}
            <br />
            {limit()}
          </>
        ) : (
          say('askingMicrophone')
        )}
      </span>
      <i class={recording ? 'live' : ''} aria-hidden="true" />
      <span class="passed" role="timer" aria-hidden={!recording}>
        {recording ? `${clock(seconds)} / ${clock(LONGEST_S)}` : say('askingMicrophone')}
      </span>
      {recording && (
        <button
          ref={button}
          type="button"
          class="send stop"
          aria-label={say('stopRecording')}
          onClick={() => stop.current(true)}
        >
          <i aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
