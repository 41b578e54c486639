/** What to take along: the tag, the program, the policy, each with a button that copies it. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { TextField } from '../../console/ui/kit/fields.js';
import { programOf, tagOf } from '../model/code.js';
import { type Draft, type Tab, tabs } from '../model/draft.js';
import { directivesFor, isFile, policyText } from '../model/policy.js';
import { Copy } from './copy.js';

const names: Record<Tab, string> = { tag: 'Tag', npm: 'npm', policy: 'Security policy' };

interface Props {
  draft: Draft;
  change(patch: Partial<Draft>): void;
}

export function Take({ draft, change }: Props) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.indexOf(draft.tab);
    const rtl = getComputedStyle(document.documentElement).direction === 'rtl' ? -1 : 1;
    const to = { ArrowRight: at + rtl, ArrowLeft: at - rtl, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + tabs.length) % tabs.length;
    change({ tab: tabs[next] ?? 'tag' });
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  }
  return (
    <section class="take" aria-label="What to copy">
      <div
        class="tabs"
        role="tablist"
        aria-label="What to copy"
        ref={list}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            aria-selected={draft.tab === tab}
            aria-controls={`${id}-panel`}
            tabIndex={draft.tab === tab ? 0 : -1}
            onClick={() => change({ tab })}
          >
            {names[tab]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${draft.tab}`}>
        {draft.tab === 'policy' ? (
          <Policy draft={draft} change={change} />
        ) : (
          <Code draft={draft} change={change} />
        )}
      </div>
    </section>
  );
}

function Block({ name, text, children }: { name: string; text: string; children?: ComponentChildren }) {
  return (
    <div class="block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="scroll" tabIndex={0} aria-label={name}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <div class="block-foot">
        {children}
        <Copy text={() => text} about={name} />
      </div>
    </div>
  );
}

const Code = ({ draft, change }: Props) =>
  draft.tab === 'npm' ? (
    <>
      <Block key="program" name="The program" text={programOf(draft.values)} />
      <p class="hint">
        <code>mount()</code> returns the chat: <code>chat.open()</code>, <code>chat.on('message', …)</code>,{' '}
        <code>chat.destroy()</code>.
      </p>
    </>
  ) : (
    <>
      <Block key="tag" name="The tag" text={tagOf(draft.values, draft.files)} />
      <Files draft={draft} change={change} />
    </>
  );

const Files = ({ draft, change }: Props) => (
  <TextField
    label="Where parley.js is"
    hint="The files beside it are fetched from there, too."
    error={isFile(draft.files) ? undefined : 'Begin it with https://, or with / for a file of your own host.'}
    value={draft.files}
    onChange={(files) => change({ files })}
  />
);

function Policy({ draft, change }: Props) {
  const directives = directivesFor({
    service: draft.values.baseUrl ?? '',
    files: draft.files,
    uploads: draft.uploads,
    launcherImage: draft.values.launcherImage ?? '',
    by: draft.by,
    attachments: draft.values.attachments !== 'false',
  });
  return (
    <>
      <fieldset class="segments">
        <legend class="hidden">How the policy knows the script</legend>
        {(['nonce', 'host'] as const).map((by) => (
          <label key={by}>
            <input type="radio" name="by" checked={draft.by === by} onChange={() => change({ by })} />
            <span>{by === 'nonce' ? 'By nonce' : 'By host'}</span>
          </label>
        ))}
      </fieldset>
      {directives ? (
        <Block name="The policy" text={policyText(directives)} />
      ) : (
        <p class="problem">
          Write addresses like https://support.example.com for the service, for parley.js and for uploads.
        </p>
      )}
      <div class="policy-hosts">
        <Files draft={draft} change={change} />
        <TextField
          label="Other hosts of uploads"
          hint="Where your service keeps files elsewhere, or sends browsers on to a bucket: addresses, apart by spaces."
          value={draft.uploads}
          placeholder="https://files.example.com"
          onChange={(uploads) => change({ uploads })}
        />
      </div>
      <dl class="why">
        {directives?.map(({ name, why }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        Add these sources to what your policy says already. The chat needs no <code>style-src</code>,{' '}
        <code>font-src</code>, <code>frame-src</code> or <code>worker-src</code>, and no <code>unsafe-…</code>{' '}
        anywhere. <code>frame-ancestors</code> says who may frame <em>your</em> page, and may stay{' '}
        <code>'none'</code>: the chat is no frame. <code>?parley-doctor</code> on your page tells whether all
        is allowed.
      </p>
    </>
  );
}
