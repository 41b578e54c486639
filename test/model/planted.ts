/** The bugs that the model must find. Each was found by the schedule named, of seed 1, and the shipped code passes it. */
import type { Mutant } from './mutants.js';

export const planted: Mutant[] = [
  {
    name: 'absence is counted from the start, not from when the attempt can have ended',
    edits: [
      {
        file: '/src/state/patience.ts',
        from: 'Math.max(overAt, seen.firstAnswerAt ?? now) + lateCommitMs',
        to: 'seen.since - 20_000 + lateCommitMs',
      },
    ],
    found: 43,
  },
  {
    name: 'the compare-and-set of an attempt is skipped',
    edits: [
      {
        file: '/src/model/ledger.ts',
        from: "entry?.echoId !== echoId || entry.state !== 'queued' || entry.attempts !== seenAttempts",
        to: 'entry?.echoId !== echoId',
      },
    ],
    found: 105,
  },
  {
    name: 'an attempt that ended with 5xx is taken for sent',
    edits: [
      {
        file: '/src/state/outbox.ts',
        from: '    const said = verdict(error);\n',
        to: "    const said = verdict(error);\n    if (error.kind === 'http' && error.status >= 500) {\n      await update((ledger) => ({ ...ledger, outbox: ledger.outbox.filter((e) => e.echoId !== echoId) }));\n      return AGAIN;\n    }\n",
      },
    ],
    found: 19,
  },
  {
    name: 'only one page of history is read',
    edits: [
      {
        file: '/src/state/messages.ts',
        from: 'if (!messages.length || lowest <= afterId) return',
        to: 'if (messages) return',
      },
    ],
    found: 0,
  },
  {
    name: 'a message in doubt is sent again at once',
    edits: [
      {
        file: '/src/state/outbox.ts',
        from: 'if (waitMs > 0 && !(api.echoKept() && over && (await uploads.filesOf(entry)))) return { waitMs };',
        to: 'void waitMs;',
      },
    ],
    found: 3,
  },
  {
    name: 'no baseline is kept before the first attempt',
    edits: [{ file: '/src/model/ledger.ts', from: 'afterId: e.afterId ?? newestId,', to: 'afterId: 0,' }],
    found: 75,
  },
  {
    name: 'bytes leave before the attempt is recorded',
    edits: [
      {
        file: '/src/state/outbox.ts',
        from: '    let inTime = () => false;\n',
        to: '    let inTime = () => false;\n    void api.createMessage(sourceId, conversationId, { ...entry, files, limitMs });\n',
      },
    ],
    found: 0,
  },
  {
    name: 'a message in doubt does not hold up the ones behind it',
    edits: [
      {
        file: '/src/model/ledger.ts',
        from: "ledger.outbox.find((entry) => entry.state !== 'failed');",
        to: "ledger.outbox.find((entry) => entry.state === 'queued') ?? ledger.outbox.find((entry) => entry.state !== 'failed');",
      },
    ],
    found: 1,
  },
  {
    name: 'frames count as history without a gap',
    edits: [
      {
        file: '/src/state/messages.ts',
        from: 'const missed = await since(Math.min(completeTo, back - 1));',
        to: 'const missed = await since(newestId());',
      },
    ],
    found: 69,
  },
  {
    name: 'what lies in a hole of the thread counts as being here',
    edits: [
      {
        file: '/src/state/messages.ts',
        from: '(latecomer < Number.POSITIVE_INFINITY ? 0 : completeTo)',
        to: 'completeTo',
      },
    ],
    found: 1581,
    dice: 775,
  },
  {
    // With the baseline, claims decide so seldom that thousands of schedules pass; without it alone this one passes.
    name: 'a server message is claimed twice, where only claims tell equal words apart',
    edits: [
      { file: '/src/model/ledger.ts', from: 'afterId: e.afterId ?? newestId,', to: 'afterId: 0,' },
      { file: '/src/model/adopt.ts', from: ' && !claimed.has(m.id)', to: '' },
      { file: '/src/model/ledger.ts', from: 'c.id === id || c.echoId === echoId', to: 'c.echoId === echoId' },
    ],
    found: 26,
  },
  {
    name: "an older generation's work is not refused",
    edits: [
      {
        file: '/src/state/session.ts',
        from: '!aborter.signal.aborted && generation === $ledger.get().generation;',
        to: '!aborter.signal.aborted && generation >= 0;',
      },
    ],
    found: 258,
  },
  {
    name: 'the bound is not counted from when the network came back',
    edits: [
      {
        file: '/src/state/patience.ts',
        from: 'Math.max(overAt, seen.firstAnswerAt ?? now) + lateCommitMs',
        to: 'overAt + lateCommitMs',
      },
    ],
    found: 979,
  },
  {
    name: 'a conversation in doubt is made again at once',
    edits: [
      {
        file: '/src/state/conversation.ts',
        from: 'if (waitMs > 0) return ok({ waitMs });',
        to: 'void waitMs;',
      },
    ],
    found: 43,
  },
  {
    name: 'a message in doubt can be taken back',
    edits: [
      {
        file: '/src/model/ledger.ts',
        from: "if (!entry || entry.state === 'sending' || entry.state === 'uncertain') return undefined;",
        to: 'if (!entry) return undefined;',
      },
    ],
    found: 46,
  },
  {
    name: 'words that another tab has settled are taken away before their message is here',
    edits: [{ file: '/src/model/transcript.ts', from: 'rows.splice(place, 0, old);', to: '' }],
    found: 11,
  },
  {
    name: 'words are said to be lost though the disk has them',
    edits: [
      {
        file: '/src/storage/ledger-db.ts',
        from: 'if (error === NEWER || isFull(error)) return',
        to: 'if (error) return',
      },
    ],
    found: 37,
  },
];
