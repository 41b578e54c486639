// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://www.host.example/" }
/** How often, and for whom, a file is asked for that did not come. */
import { act, fireEvent, render } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AttachmentPart } from '../../src/parts/attachment-part.js';
import { attachmentSchema } from '../../src/wire/message.js';
import { Around, message, service, useDesk } from '../support/desk.js';

const desk = useDesk();
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** @returns how to have it fail, and what passes until it is asked for again: nothing where it never is */
function shown(name: string, id = 2, file_type = 'image') {
  const attachment = attachmentSchema.parse({ id, file_type, data_url: `${service}/${name}` });
  const { container, unmount } = render(
    <Around desk={desk()}>
      <AttachmentPart attachment={attachment} message={message('text', {}, { id })} />
    </Around>,
  );
  const asked = () => container.querySelector('img, audio, video');
  const pass = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1_000));
  return {
    asked,
    pass,
    unmount: () => act(() => void unmount()),
    fail() {
      const one = asked();
      act(() => void (one && fireEvent.error(one)));
    },
    /** Seconds. */
    waits() {
      for (let seconds = 0; seconds < 60; seconds++) {
        if (asked()) return seconds;
        pass(1);
      }
      return undefined;
    },
  };
}

test.each(['image', 'audio', 'video'])(
  '%s is asked for three times more, however often it is drawn',
  (type) => {
    const first = shown(`never-${type}`, 2, type);
    const before = first.asked();
    first.fail();
    expect(first.waits()).toBe(2);
    // The same element may keep what it knows of the address.
    expect(first.asked()).not.toBe(before);
    first.fail();
    first.unmount();
    const second = shown(`never-${type}`, 2, type);
    second.fail();
    expect(second.waits()).toBe(5);
    second.fail();
    expect(second.waits()).toBe(15);
    second.fail();
    expect(second.waits()).toBeUndefined();
    second.unmount();
    const third = shown(`never-${type}`, 2, type);
    third.fail();
    expect(third.waits()).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('what the visitor has seen before is not asked for again', () => {
  desk().front.$seenId.set(7);
  desk().front.newFrom(8);
  const old = shown('old.png', 7);
  old.fail();
  expect(old.waits()).toBeUndefined();
  const young = shown('young.png', 8);
  young.fail();
  expect(young.waits()).toBe(2);
});

test('nothing is asked for while nobody sees the page, nor after it has gone', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const late = shown('late.png');
  late.fail();
  expect(late.waits()).toBeUndefined();
  hidden.mockReturnValue(false);
  expect(late.waits()).toBeLessThanOrEqual(2);
  hidden.mockRestore();
  late.fail();
  expect(vi.getTimerCount()).toBe(1);
  late.unmount();
  expect(vi.getTimerCount()).toBe(0);
});
