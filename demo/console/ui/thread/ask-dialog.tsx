/**
 * Where an agent makes a question that a visitor answers with a press: its kind, its words, its rows. What is written
 * stays with the conversation until it is sent or discarded.
 */

import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  attributesOf,
  emptyItem,
  emptyQuestion,
  type Fault,
  faultIn,
  fieldTypes,
  type Item,
  type Question,
  type QuestionKind,
  questionKinds,
} from '../../model/question.js';
import type { Desk } from '../../state/desk.js';
import { Icon } from '../icons.js';
import { Dialog } from '../kit/dialog.js';
import { Select, Switch, TextArea, TextField } from '../kit/fields.js';
import { IconButton } from '../kit/icon-button.js';
import { useStore } from '../use-store.js';

const hints: Record<QuestionKind, string> = {
  input_select: 'The visitor chooses one with a press.',
  form: 'The visitor fills it in inside the chat.',
  input_email: 'The address becomes the contact’s.',
  cards: 'Each with a picture, words and a link.',
  article: 'Links to read on.',
  input_csat: 'One to five, and a comment.',
};
const openings: Partial<Record<QuestionKind, string>> = {
  input_email: 'Where can we reach you?',
  input_csat: 'How did we do?',
};
const rowName: Partial<Record<QuestionKind, string>> = {
  input_select: 'Choice',
  form: 'Question',
  cards: 'Card',
  article: 'Article',
};
const kinds: readonly QuestionKind[] = [
  'input_select',
  'form',
  'input_email',
  'cards',
  'article',
  'input_csat',
];
/** Of a row, what Enter leads to. */
const written = 'input:not([type=checkbox]), textarea';
const typeChoices = Object.entries(fieldTypes);

interface Props {
  desk: Desk;
  conversationId: number;
  onClose(): void;
}

export function AskDialog({ desk, conversationId, onClose }: Props) {
  const begun = useStore(desk.drafts.$questions)[conversationId];
  const question = begun ?? emptyQuestion;
  const { kind, words, items } = question;
  const [problem, setProblem] = useState('');
  const [fault, setFault] = useState<Fault | undefined>(undefined);
  const adds = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const rows = useRef<HTMLOListElement>(null);
  const isAdded = useRef(false);
  const row = rowName[kind];
  const text = words ?? openings[kind] ?? '';
  function write(patch: Partial<Question>) {
    setFault(undefined);
    setProblem('');
    desk.drafts.writeQuestion(conversationId, { ...question, ...patch });
  }
  const change = (key: number, patch: Partial<Item>) =>
    write({ items: items.map((item) => (item.key === key ? { ...item, ...patch } : item)) });

  // What was asked for is written next.
  useLayoutEffect(() => {
    if (isAdded.current) rows.current?.lastElementChild?.querySelector('input')?.focus();
    isAdded.current = false;
  }, [items.length]);

  useLayoutEffect(() => {
    if (fault) rows.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [fault]);

  function add() {
    isAdded.current = true;
    write({ items: [...items, emptyItem(Math.max(...items.map(({ key }) => key)) + 1)] });
  }

  function finish() {
    desk.drafts.writeQuestion(conversationId);
    onClose();
  }

  function send() {
    if (!text.trim()) {
      setProblem('Write the words that stand above it.');
      form.current?.querySelector('textarea')?.focus();
      return;
    }
    const found = faultIn(kind, items, location.hostname);
    setFault(found);
    if (found) {
      const number = items.findIndex(({ key }) => key === found.key) + 1;
      return setProblem(`${row} ${number} is not complete.`);
    }
    const attributes = attributesOf(kind, items);
    if (!attributes) {
      rows.current?.querySelector('input')?.focus();
      return setProblem(`Fill in at least one ${row?.toLowerCase()}.`);
    }
    desk.ask({ content: text.trim(), content_type: kind, content_attributes: attributes });
    finish();
  }

  /** Enter leads on to what is written next: a question that is half made must not go by it. */
  function onKeyDown(event: KeyboardEvent) {
    const { target } = event;
    if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return;
    if (target instanceof HTMLButtonElement) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      send();
    } else if (target instanceof HTMLInputElement) {
      event.preventDefault();
      const fields = [...(rows.current?.querySelectorAll<HTMLElement>(written) ?? [])];
      const at = fields.indexOf(target);
      if (at < 0) return;
      const next = fields[at + 1];
      if (next) next.focus();
      else if (items.at(-1)?.title.trim()) add();
    }
  }

  return (
    <Dialog title="Ask the visitor" wide onClose={onClose}>
      <form
        ref={form}
        class="form ask-form"
        noValidate
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <fieldset class="kinds">
          <legend class="hidden">Kind</legend>
          {kinds.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="kind"
                checked={name === kind}
                onChange={() => write({ kind: name })}
              />
              <span>{questionKinds[name]}</span>
            </label>
          ))}
        </fieldset>
        <TextArea
          label="Words"
          rows={2}
          value={text}
          onChange={(value) => write({ words: value })}
          hint={hints[kind]}
        />
        {row && (
          <ol ref={rows} class="ask-rows">
            {items.map((item, index) => (
              <li key={item.key}>
                <Row
                  kind={kind}
                  label={`${row} ${index + 1}`}
                  item={item}
                  fault={fault?.key === item.key ? fault : undefined}
                  onChange={(patch) => change(item.key, patch)}
                  onRemove={() => {
                    write({ items: items.filter((one) => one !== item) });
                    adds.current?.focus();
                  }}
                  removable={items.length > 1}
                />
              </li>
            ))}
          </ol>
        )}
        {row && (
          <button ref={adds} type="button" class="quiet add-row" onClick={add}>
            <Icon name="plus" /> Add {row.toLowerCase()}
          </button>
        )}
        <div class="form-foot">
          <p role="alert" class="problem form-problem">
            {problem}
          </p>
          <button type="button" class="secondary" onClick={finish}>
            {begun ? 'Discard' : 'Cancel'}
          </button>
          <button type="submit" class="primary" aria-keyshortcuts="Control+Enter">
            Send
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface RowProps {
  kind: QuestionKind;
  label: string;
  item: Item;
  fault: Fault | undefined;
  removable: boolean;
  onChange(patch: Partial<Item>): void;
  onRemove(): void;
}

function Row(props: RowProps) {
  const { kind, label, item, fault, removable, onChange, onRemove } = props;
  const remove = removable && (
    <IconButton icon="close" label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
  );
  const title = (name: string) => (
    <TextField label={name} value={item.title} onChange={(value) => onChange({ title: value })} />
  );
  if (kind === 'input_select') {
    return (
      <div class="ask-choice">
        {title(label)}
        {remove}
      </div>
    );
  }
  return (
    <fieldset class="ask-card">
      <legend>{label}</legend>
      {remove}
      {kind === 'form' ? (
        <FormRow item={item} fault={fault} onChange={onChange} title={title('Label')} />
      ) : (
        <>
          {title('Title')}
          <TextArea
            label="Description"
            rows={1}
            value={item.description}
            onChange={(description) => onChange({ description })}
          />
          <LinkRow item={item} fault={fault} onChange={onChange} isCard={kind === 'cards'} />
        </>
      )}
    </fieldset>
  );
}

type Part = Pick<RowProps, 'item' | 'fault' | 'onChange'>;

const wordsAt = (fault: Fault | undefined, field: Fault['field']) =>
  fault?.field === field ? fault.words : undefined;

function FormRow({ item, fault, onChange, title }: Part & { title: JSX.Element }) {
  return (
    <>
      <div class="ask-row">
        {title}
        <Select
          label="Answer"
          choices={typeChoices}
          value={item.type}
          onChange={(type) => onChange({ type })}
        />
      </div>
      {item.type === 'select' && (
        <TextArea
          label="Options, one a line"
          error={wordsAt(fault, 'options')}
          value={item.options}
          onChange={(options) => onChange({ options })}
        />
      )}
      <Switch label="Required" value={item.required} onChange={(required) => onChange({ required })} />
    </>
  );
}

function LinkRow({ item, fault, onChange, isCard }: Part & { isCard: boolean }) {
  const link = (
    <TextField
      label="Link"
      error={wordsAt(fault, 'link')}
      type="url"
      placeholder="https://"
      value={item.link}
      onChange={(value) => onChange({ link: value })}
    />
  );
  if (!isCard) return link;
  return (
    <>
      <div class="ask-row">
        {link}
        <TextField
          label="Button"
          placeholder="Open"
          value={item.linkText}
          onChange={(linkText) => onChange({ linkText })}
        />
      </div>
      <TextField
        label="Picture"
        error={wordsAt(fault, 'picture')}
        type="url"
        placeholder="https://"
        value={item.picture}
        onChange={(picture) => onChange({ picture })}
      />
    </>
  );
}
