/**
 * How satisfied the visitor is: one of five faces, or stars where the team has chosen these, with a word; then as many
 * words as they like; for 14 days.
 */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { textIn } from '../content/gist.js';
import { ok } from '../errors.js';
import { useSurroundings } from '../ui/context.js';
import type { Message } from '../wire/message.js';
import { Outcome, useAnswering } from './answering.js';
import { faces, StarIcon } from './drawings.js';
import { typedIn } from './form.js';
import { RATINGS, type Rating, readRating } from './read.js';

/** The service counts 14 days after the day of the question; in doubt it decides. */
const OPEN_MS = 15 * 86_400_000;

export function RatingView({ message }: { message: Message }): JSX.Element {
  const { chat, say, layer } = useSurroundings();
  const given = readRating(message.content_attributes);
  const starred = message.content_attributes.display_type === 'star';
  const id = `p${message.id}`;
  const typed = () => readRating({ submitted_values: { csat_survey_response: chat.recall(typedIn(id)) } });
  /** The words to a rating that a press has sent, in this view or before: they have not left. */
  const hasWords = () => given?.feedback === '' && Boolean(typed()?.feedback);
  const [pressed, setPressed] = useState(hasWords);
  /** Or another face than the one that was given, chosen before the page was loaded. */
  const [changing, setChanging] = useState(() => hasWords() && typed()?.rating !== given?.rating);
  /** The click was that of a pointer: by arrow keys each one on the way would be sent. */
  const pointed = useRef(false);
  const presses = useRef<Promise<unknown>>(Promise.resolve());
  const [{ rating, feedback = '' }, setEntered] = useState<Partial<Rating>>(
    () => (pressed ? undefined : given) ?? typed() ?? {},
  );
  const [missing, setMissing] = useState(false);
  const [aloud, setAloud] = useState(0);
  const shown = given !== undefined && !changing && !(pressed && !given.feedback);
  const [over, setOver] = useState(false);
  const answering = useAnswering(shown || over, 'rateLate', hasWords() ? undefined : id);
  const refused = answering.problem === 'rateLate';
  // Once the sentence stands there: the focus goes to it.
  useLayoutEffect(() => setOver(refused), [refused]);
  const form = useRef<HTMLFormElement>(null);
  // The button that was pressed has gone.
  useLayoutEffect(() => {
    if (changing) form.current?.querySelector<HTMLElement>('input:checked')?.focus();
  }, [changing]);
  const late = refused || (message.created_at > 0 && Date.now() > message.created_at * 1000 + OPEN_MS);
  const giveUp = () =>
    answering.giveUp(() => {
      chat.keep(typedIn(id), undefined);
      setChanging(false);
    });
  const escapes = changing && !late && !answering.sending;
  useLayoutEffect(() => (escapes ? layer?.(giveUp) : undefined), [escapes]);

  if (given && (shown || late)) {
    const Face = faces[given.rating - 1];
    const thanks = say(refused ? 'rateLate' : 'rated');
    const drawn = starred ? RATINGS.slice(0, given.rating).map(() => StarIcon) : Face ? [Face] : [];
    return (
      <div class="done rated" {...answering.done(thanks)}>
        <p>{thanks}</p>
        <p class={starred ? 'rate stars' : 'rate'}>
          {drawn.map((Drawn) => (
            <Drawn />
          ))}{' '}
          {say(`rate${given.rating}`)}
        </p>
        {given.feedback && (
          <p class="content" dir="auto">
            {textIn(given.feedback)}
          </p>
        )}
        {!late && (
          <button
            type="button"
            class="tall action"
            onClick={() => {
              setEntered(given);
              setChanging(true);
            }}
          >
            {say('changeAnswer')}
          </button>
        )}
      </div>
    );
  }
  if (late)
    return (
      <div class="outcome" {...answering.done(say('rateLate'))}>
        {say('rateLate')}
      </div>
    );

  function enter(entered: Partial<Rating>) {
    setEntered(entered);
    chat.keep(typedIn(id), { rating: entered.rating, feedback_message: entered.feedback });
  }

  /** Whoever goes without the button has rated all the same; what does not arrive leaves with the button. */
  function press(rating: Rating['rating']) {
    setPressed(true);
    const response = { rating, feedback_message: '' };
    presses.current = presses.current.then(() => chat.answer(message, { csat_survey_response: response }));
  }

  function submit(event: Event) {
    event.preventDefault();
    setMissing(!rating);
    if (!rating) {
      const first = form.current?.querySelector('input');
      // Where the focus is already nobody would be told.
      setAloud((turn) => (first?.matches(':focus') ? turn + 1 : 0));
      return first?.focus();
    }
    const response = { rating, feedback_message: feedback.trim() };
    const { current: asked } = form;
    const known = pressed && !changing && !response.feedback_message && given?.rating === rating;
    // A frame may tell it before the answer does.
    if (known || !(given || response.feedback_message)) setPressed(false);
    answering.give(async () => {
      if (known) return ok(undefined);
      // Later than the words, it would take them away again.
      await presses.current;
      const result = await chat.answer(message, { csat_survey_response: response });
      if (result.ok) setPressed(false);
      // A frame may have told it first, and the visitor be at the next change.
      if (result.ok && (!form.current || form.current === asked)) {
        // Not every service keeps the words.
        chat.keep(typedIn(id), undefined);
        setChanging(false);
      }
      return result;
    });
  }

  return (
    <form class="ask" noValidate ref={form} onSubmit={submit}>
      <fieldset aria-describedby={missing ? `${id}-wrong` : undefined}>
        <legend class="sr">{say('rating')}</legend>
        <div class={starred ? 'faces stars' : 'faces'}>
          {RATINGS.map((one) => {
            const Face = starred ? StarIcon : faces[one - 1];
            const filled = starred && rating && one < rating ? 'filled' : '';
            return (
              <label class={one === rating ? 'chosen' : filled} title={say(`rate${one}`)}>
                <input
                  type="radio"
                  name={id}
                  checked={one === rating}
                  // Before the change: drawn anew in between, it would not be chosen.
                  onClick={({ detail }) => {
                    pointed.current = detail > 0;
                  }}
                  onChange={() => {
                    enter({ rating: one, feedback });
                    if (pointed.current && !changing && !answering.sending) press(one);
                    setMissing(false);
                  }}
                />
                {Face && <Face />}
                <span class="sr">{say(`rate${one}`)}</span>
              </label>
            );
          })}
        </div>
        <p class="words" aria-hidden="true">
          {rating ? (
            <b>{say(`rate${rating}`)}</b>
          ) : (
            <>
              <span>{say('rate1')}</span>
              <span>{say('rate5')}</span>
            </>
          )}
        </p>
        {missing && (
          <p key={aloud} class="wrong" id={`${id}-wrong`} role={aloud ? 'alert' : undefined}>
            {say('rateFirst')}
          </p>
        )}
      </fieldset>
      {rating && (
        <div class="entry">
          <label for={`${id}-feedback`} dir="auto">
            {say('feedback')}
          </label>
          <textarea
            id={`${id}-feedback`}
            rows={2}
            dir={feedback ? 'auto' : undefined}
            maxLength={2000}
            value={feedback}
            onInput={(event) => enter({ rating, feedback: event.currentTarget.value })}
          />
        </div>
      )}
      <button type="submit" class="go" aria-disabled={answering.sending} onClick={submit}>
        {say('sendAnswer')}
      </button>
      {changing && (
        <button type="button" class="tall" aria-disabled={answering.sending} onClick={giveUp}>
          {say('cancelUpload')}
        </button>
      )}
      <Outcome answering={answering} />
    </form>
  );
}
