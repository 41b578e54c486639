/** What a form or a question for the address asks, and what was answered, once it was. */
import type { JSX } from 'preact';
import type { Key } from '../text/text.js';
import { useSurroundings } from '../ui/context.js';
import type { Message } from '../wire/message.js';
import { Outcome, useAnswering } from './answering.js';
import { type Entered, Form } from './form.js';
import { type Field, readAnswers } from './read.js';
import { answered, emailAmong, emailIn } from './told.js';
import { isEmail, plain } from './typed.js';

export function AskedForm({ message, fields }: { message: Message; fields: Field[] }): JSX.Element {
  const { chat, say } = useSurroundings();
  const { content_attributes: attributes } = message;
  const answers = readAnswers(attributes);
  const answering = useAnswering(answers !== undefined, 'answerRefused', `p${message.id}`);
  if (answers) {
    const given = answers.map((answer) => answered(answer, fields, say)).filter(({ words }) => words);
    return (
      <div class="done" {...answering.done(say('answerSent'))}>
        <p>{say('answerSent')}</p>
        <dl>
          {given.map(({ label, words }) => (
            <div>
              <dt dir="auto">{label}</dt>
              <dd dir="auto">{words}</dd>
            </div>
          ))}
        </dl>
      </div>
    );
  }
  const { button_label: label } = attributes;
  const give = (values: string[]) => {
    const submitted = fields.map((field, i) => ({
      name: field.name,
      value: field.type === 'checkbox' ? values[i] === 'true' : fitting(field, values[i] ?? ''),
    }));
    answering.give(() => chat.answer(message, submitted));
  };
  return (
    <Form
      id={`p${message.id}`}
      fields={fields.map((field) =>
        field.type === 'email' ? { ...field, value: field.value || emailAmong(chat.$rows.get()) } : field,
      )}
      button={(typeof label === 'string' && label.trim().slice(0, 60)) || say('sendAnswer')}
      busy={answering.sending}
      complain={(at, value) => {
        const field = fields[at];
        const key = field && complaint(field, value);
        return key && (field.error || say(key));
      }}
      give={give}
    >
      <Outcome answering={answering} />
    </Form>
  );
}

/** Words stay as they were typed, where nothing is expected of them. */
const fitting = ({ type, fits }: Field, typed: string) =>
  type === 'email' || (type !== 'select' && !fits(typed)) ? plain(typed) : typed;

function complaint(field: Field, typed: string): Key | undefined {
  const { type, required, fits } = field;
  if (type === 'checkbox') return required && typed !== 'true' ? 'needed' : undefined;
  if (!typed) return required ? 'needed' : undefined;
  const value = fitting(field, typed);
  if (type === 'email' && !isEmail(value)) return 'notMail';
  return type !== 'select' && !fits(value) ? 'notFitting' : undefined;
}

export function AskedEmail({ message }: { message: Message }): JSX.Element {
  const { chat, say } = useSurroundings();
  const email = emailIn(message.content_attributes);
  const answering = useAnswering(email !== undefined, 'emailRefused', `p${message.id}`);
  if (email !== undefined) {
    const kept = say('emailKept', { email });
    return (
      <div class="done" {...answering.done(kept)}>
        <p dir="auto">{kept}</p>
      </div>
    );
  }
  const field: Entered = {
    label: say('email'),
    type: 'email',
    required: true,
    value: emailAmong(chat.$rows.get()),
    options: [],
    fill: 'email',
  };
  const give = ([typed = '']: string[]) =>
    answering.give(async () => {
      const value = plain(typed);
      // Of a message's answer the service keeps a mark only; the address itself belongs to the contact.
      const told = await chat.updateContact({ email: value });
      return told.ok ? chat.answer(message, [{ name: 'email', value }]) : told;
    });
  return (
    <Form
      id={`p${message.id}`}
      fields={[field]}
      button={say('sendAnswer')}
      busy={answering.sending}
      complain={(_, value) => (isEmail(plain(value)) ? undefined : say(value ? 'notMail' : 'needed'))}
      give={give}
    >
      <Outcome answering={answering} />
    </Form>
  );
}
