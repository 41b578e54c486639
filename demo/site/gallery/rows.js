/** Rows of a conversation as the engine would compute them, from a few words each. It knows no page. */

const GROUP_MS = 5 * 60_000;
let id = 1000;

/** @param time `14:05`, or `-2 14:05` two days ago. @returns milliseconds since 1970 */
export function at(time) {
  const [, days = 0, hour, minute] = /^(?:(-\d+) )?(\d+):(\d+)$/.exec(time);
  const date = new Date();
  date.setDate(date.getDate() + Number(days));
  return date.setHours(hour, minute, 0, 0);
}

/** @param more fields of the message, and `mark` */
export function mine(time, content, { mark, ...more } = {}) {
  return { row: { mine: true, mark }, message: message(time, content, 0, more) };
}

export function theirs(time, content, sender, more = {}) {
  return { row: { mine: false }, message: message(time, content, 1, { sender, ...more }) };
}

/** @param state of an entry of the outbox: `queued`, `sending`, `uncertain` or `failed` */
export function unsent(time, content, state, more = {}) {
  const entry = {
    echoId: `echo-${id++}`,
    content,
    queuedAt: at(time),
    files: [],
    state,
    attempts: 1,
    ...more,
  };
  const shown = { queued: 'waiting', sending: 'sending', uncertain: 'checking', failed: 'failed' };
  return { row: { mine: true, key: entry.echoId, entry, content, state: shown[state] }, at: entry.queuedAt };
}

function message(time, content, type, { attributes = {}, ...more }) {
  const created = typeof time === 'number' ? time : at(time);
  return {
    id: id++,
    content,
    message_type: type,
    content_type: 'text',
    content_attributes: attributes,
    created_at: Math.floor(created / 1000),
    conversation_id: 7,
    sender: null,
    ...more,
  };
}

export function rows(...parts) {
  const all = parts.flat().map(({ row, message, at: when }) => ({
    ...(message && { key: `m${message.id}`, message, content: message.content ?? '', state: 'sent' }),
    at: when ?? message.created_at * 1000,
    ...row,
  }));
  return all.map((row, i) => {
    const begins = (a, b) => !a || dayOf(a) !== dayOf(b) || author(a) !== author(b) || b.at - a.at > GROUP_MS;
    return {
      ...row,
      day: dayOf(row),
      startsDay: !all[i - 1] || dayOf(all[i - 1]) !== dayOf(row),
      startsGroup: begins(all[i - 1], row),
      endsGroup: !all[i + 1] || begins(row, all[i + 1]),
    };
  });
}

const dayOf = (row) => new Date(row.at).toDateString();
const author = ({ mine, message }) => (mine ? 'mine' : message.sender?.id);
