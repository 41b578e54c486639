/** What the account wants to know of contacts and of conversations. */
import { useState } from 'preact/hooks';
import type { Desk } from '../../state/desk.js';
import { attributeTypes, type Definition } from '../../wire/admin.js';
import { Select, TextArea, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { type Ends, ShelfPage } from './shelf-page.js';

const typeNames: Record<(typeof attributeTypes)[number], string> = {
  text: 'Text',
  number: 'Number',
  currency: 'Currency',
  percent: 'Percent',
  link: 'Link',
  date: 'Date',
  list: 'List',
  checkbox: 'Tick box',
};
const typeChoices = attributeTypes.map((type) => [type, typeNames[type]] as const);

type Model = 'contact' | 'conversation';

export function AttributesPage({ desk }: { desk: Desk; path: readonly string[] }) {
  const [model, setModel] = useState<Model>('contact');
  const shelf = model === 'contact' ? desk.shelves.contactAttributes : desk.shelves.conversationAttributes;
  return (
    <ShelfPage
      title="Attributes"
      lead="What you want to know. Values are checked against these, whoever writes them."
      noun="attribute"
      shelf={shelf}
      notices={desk.notices}
      nameOf={(one) => one.attribute_display_name}
      emptyWords="A plan, a city, an order number."
      goneWords="Values that are there already stay, unchecked."
      before={
        <fieldset class="segments">
          <legend class="hidden">Attributes of</legend>
          {(['contact', 'conversation'] as const).map((name) => (
            <label key={name}>
              <input type="radio" name="model" checked={name === model} onChange={() => setModel(name)} />
              <span>{name === 'contact' ? 'Contacts' : 'Conversations'}</span>
            </label>
          ))}
        </fieldset>
      }
      row={(one) => (
        <>
          <p class="row-title">
            <bdi>{one.attribute_display_name}</bdi>
            <span class="chip">{typeNames[one.attribute_display_type]}</span>
          </p>
          <p class="row-more">
            <code>{one.attribute_key}</code>
            {one.attribute_values.length > 0 && ` · ${one.attribute_values.join(', ')}`}
            {one.attribute_description && ` · ${one.attribute_description}`}
          </p>
        </>
      )}
      form={(one, ends) => <AttributeForm desk={desk} model={model} definition={one} {...ends} />}
    />
  );
}

interface FormProps extends Ends {
  desk: Desk;
  model: Model;
  definition: Definition | undefined;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const keyFrom = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');

function AttributeForm({ desk, model, definition, onSaved, onCancel }: FormProps) {
  const shelf = model === 'contact' ? desk.shelves.contactAttributes : desk.shelves.conversationAttributes;
  const form = useEdit(
    {
      attribute_display_name: definition?.attribute_display_name ?? '',
      attribute_key: definition?.attribute_key ?? '',
      attribute_display_type: definition?.attribute_display_type ?? 'text',
      attribute_description: definition?.attribute_description ?? '',
      values: (definition?.attribute_values ?? []).join('\n'),
      regex_pattern: definition?.regex_pattern ?? '',
      regex_cue: definition?.regex_cue ?? '',
    },
    'The attribute was not saved',
    ({ values: lines, ...changed }, { values, ...all }) => {
      if (definition) {
        const listed = lines === undefined ? {} : { attribute_values: linesOf(lines) };
        return shelf.change(definition.id, { ...changed, ...listed });
      }
      return shelf.create({
        ...all,
        attribute_values: linesOf(values),
        attribute_key: all.attribute_key || keyFrom(all.attribute_display_name),
        attribute_model: model === 'contact' ? 1 : 0,
      });
    },
    () => onSaved(),
  );
  const { attribute_display_type: type } = form.values;
  return (
    <FormBody form={form} button="Save attribute" onCancel={onCancel}>
      <TextField label="Name" {...form.bind('attribute_display_name')} />
      {!definition && (
        <>
          <TextField
            label="Key"
            hint={`What programs call it${form.values.attribute_key ? '' : `: ${keyFrom(form.values.attribute_display_name) || 'from the name'}`}.`}
            {...form.bind('attribute_key')}
          />
          <Select
            label="Type"
            choices={typeChoices}
            value={type}
            onChange={(next) =>
              form.set({ attribute_display_type: attributeTypes.find((one) => one === next) ?? 'text' })
            }
          />
        </>
      )}
      {type === 'list' && <TextArea label="Values, one a line" {...form.bind('values')} />}
      <TextField label="Description" {...form.bind('attribute_description')} />
      {type === 'text' && (
        <>
          <TextField
            label="Pattern"
            hint="A regular expression that every value must match. Blank for none."
            {...form.bind('regex_pattern')}
          />
          <TextField label="What to say when it does not match" {...form.bind('regex_cue')} />
        </>
      )}
    </FormBody>
  );
}
