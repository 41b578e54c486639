/** Where an agent makes a question that a visitor answers with a press: its kind, its words, its rows. */

import { useState } from 'preact/hooks';
import {
  attributesOf,
  emptyItem,
  fieldTypes,
  type Item,
  type QuestionKind,
  questionKinds,
} from '../../model/question.js';
import type { Desk } from '../../state/desk.js';
import { Icon } from '../icons.js';
import { Dialog } from '../kit/dialog.js';
import { Select, Switch, TextArea, TextField } from '../kit/fields.js';
import { IconButton } from '../kit/icon-button.js';

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
const typeChoices = Object.entries(fieldTypes);

export function AskDialog({ desk, onClose }: { desk: Desk; onClose(): void }) {
  const [kind, setKind] = useState<QuestionKind>('input_select');
  const [words, setWords] = useState<string | undefined>(undefined);
  const [items, setItems] = useState<readonly Item[]>([emptyItem(1), emptyItem(2)]);
  const [problem, setProblem] = useState('');
  const row = rowName[kind];
  const text = words ?? openings[kind] ?? '';
  const change = (key: number, patch: Partial<Item>) =>
    setItems(items.map((item) => (item.key === key ? { ...item, ...patch } : item)));

  function send() {
    const attributes = attributesOf(kind, items);
    if (!text.trim()) return setProblem('Write the words that stand above it.');
    if (!attributes) {
      const linked = kind === 'cards' ? ', and the link of each' : '';
      return setProblem(`Fill in at least one ${row?.toLowerCase()}${linked}.`);
    }
    desk.ask({ content: text.trim(), content_type: kind, content_attributes: attributes });
    onClose();
  }

  return (
    <Dialog title="Ask the visitor" wide onClose={onClose}>
      <form
        class="form ask-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <fieldset class="kinds">
          <legend class="hidden">Kind</legend>
          {kinds.map((name) => (
            <label key={name}>
              <input type="radio" name="kind" checked={name === kind} onChange={() => setKind(name)} />
              <span>{questionKinds[name]}</span>
            </label>
          ))}
        </fieldset>
        <TextArea label="Words" rows={2} value={text} onChange={setWords} hint={hints[kind]} />
        {row && (
          <ol class="ask-rows">
            {items.map((item, index) => (
              <li key={item.key}>
                <Row
                  kind={kind}
                  label={`${row} ${index + 1}`}
                  item={item}
                  onChange={(patch) => change(item.key, patch)}
                />
                {items.length > 1 && (
                  <IconButton
                    icon="close"
                    label={`Remove ${row.toLowerCase()} ${index + 1}`}
                    onClick={() => setItems(items.filter((one) => one !== item))}
                  />
                )}
              </li>
            ))}
          </ol>
        )}
        {row && (
          <button
            type="button"
            class="quiet add-row"
            onClick={() => setItems([...items, emptyItem(Math.max(...items.map(({ key }) => key)) + 1)])}
          >
            <Icon name="plus" /> Add {row.toLowerCase()}
          </button>
        )}
        <p role="alert" class="problem form-problem">
          {problem}
        </p>
        <div class="form-foot">
          <button type="button" class="secondary" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
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
  onChange(patch: Partial<Item>): void;
}

function Row({ kind, label, item, onChange }: RowProps) {
  const title = (
    <TextField label={label} value={item.title} onChange={(value) => onChange({ title: value })} />
  );
  if (kind === 'input_select') return title;
  if (kind === 'form') {
    return (
      <div class="ask-row">
        {title}
        <Select
          label="Answer"
          choices={typeChoices}
          value={item.type}
          onChange={(type) => onChange({ type })}
        />
        <Switch label="Required" value={item.required} onChange={(required) => onChange({ required })} />
        {item.type === 'select' && (
          <TextArea
            label="Options, one a line"
            value={item.options}
            onChange={(options) => onChange({ options })}
          />
        )}
      </div>
    );
  }
  return (
    <div class="ask-row">
      {title}
      <TextField
        label="Description"
        value={item.description}
        onChange={(description) => onChange({ description })}
      />
      <TextField
        label="Link"
        type="url"
        placeholder="https://"
        value={item.link}
        onChange={(link) => onChange({ link })}
      />
      {kind === 'cards' && (
        <>
          <TextField
            label="Button"
            placeholder="Open"
            value={item.linkText}
            onChange={(linkText) => onChange({ linkText })}
          />
          <TextField
            label="Picture"
            type="url"
            placeholder="https://"
            value={item.picture}
            onChange={(picture) => onChange({ picture })}
          />
        </>
      )}
    </div>
  );
}
