/** What a form or a question for the address asks, and what was answered, once it was. */
import type { JSX } from 'preact';
import type { Key } from '../text/text.js';
import { useSurroundings } from '../ui/context.js';
import type { Message } from '../wire/message.js';
import { Outcome, useAnswering } from './answering.js';
import { type Entered, Form } from './form.js';
import { type Field, readAnswers } from './read.js';
import { answered, emailIn } from './told.js';

const MAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;

export function AskedForm({ message, fields }: { message: Message; fields: Field[] }): JSX.Element {
  const { chat, say } = useSurroundings();
  const { content_attributes: attributes } = message;
  const answers = readAnswers(attributes);
  const answering = useAnswering(answers !== undefined, 'answerRefused');
  if (answers) {
    const given = answers.map((answer) => answered(answer, fields, say)).filter(({ words }) => words);
    return (
      <div class="done" tabIndex={-1} ref={answering.done}>
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
    const submitted = fields.map(({ name, type }, i) => ({
      name,
      value: type === 'checkbox' ? values[i] === 'true' : (values[i] ?? ''),
    }));
    answering.give(() => chat.answer(message.id, submitted));
  };
  return (
    <Form
      id={`p${message.id}`}
      fields={fields}
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

function complaint({ type, required, fits }: Field, typed: string): Key | undefined {
  if (type === 'checkbox') return required && typed !== 'true' ? 'needed' : undefined;
  if (!typed) return required ? 'needed' : undefined;
  if (type === 'email' && !isMail(typed)) return 'notMail';
  return type !== 'select' && !fits(typed) ? 'notFitting' : undefined;
}

const isMail = (typed: string) => typed.length <= 254 && MAIL.test(typed);

export function AskedEmail({ message }: { message: Message }): JSX.Element {
  const { chat, say } = useSurroundings();
  const email = emailIn(message.content_attributes);
  const answering = useAnswering(email !== undefined, 'emailRefused');
  if (email !== undefined) {
    return (
      <div class="done" tabIndex={-1} ref={answering.done}>
        <p dir="auto">{say('emailKept', { email })}</p>
      </div>
    );
  }
  const field: Entered = {
    label: say('email'),
    type: 'email',
    required: true,
    value: '',
    options: [],
    fill: 'email',
  };
  const give = ([value = '']: string[]) =>
    answering.give(async () => {
      // Of a message's answer the service keeps a mark only; the address itself belongs to the contact.
      const told = await chat.updateContact({ email: value });
      return told.ok ? chat.answer(message.id, [{ name: 'email', value }]) : told;
    });
  return (
    <Form
      id={`p${message.id}`}
      fields={[field]}
      button={say('sendAnswer')}
      busy={answering.sending}
      complain={(_, value) => (isMail(value) ? undefined : say(value ? 'notMail' : 'needed'))}
      give={give}
    >
      <Outcome answering={answering} />
    </Form>
  );
}
