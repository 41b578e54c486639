/** What a form holds, saves, and says when saving failed: at the field where the service names one. Knows no field. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Result, sentence } from '../../errors.js';

export interface Form<V> {
  values: V;
  problem: string;
  busy: boolean;
  set(patch: Partial<V>): void;
  bind<K extends keyof V & string>(
    name: K,
  ): { value: V[K]; onChange(value: V[K]): void; error: string | undefined };
  submit(): Promise<void>;
}

/** Takes what a form has to say that is gone. */
export const Unheard = createContext<(problem: string) => void>(() => {});

/**
 * @param what did not work, as the start of a sentence
 * @param onSaved not called where the form is gone by then: the agent is at something else
 */
export function useForm<V extends object, R>(
  initial: V,
  what: string,
  save: (values: V) => Promise<Result<R>>,
  onSaved: (saved: R) => void,
): Form<V> {
  const tell = useContext(Unheard);
  const isThere = useRef(true);
  useLayoutEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const [values, setValues] = useState(initial);
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const set = (patch: Partial<V>) => setValues((old) => ({ ...old, ...patch }));
  return {
    values,
    problem,
    busy,
    set,
    bind: (name) => ({
      value: values[name],
      // A computed key of a generic type is widened to an index.
      onChange: (value) => setValues((old) => ({ ...old, [name]: value })),
      error: fields[name] && sentenceOf(fields[name]),
    }),
    async submit() {
      if (busy) return;
      setBusy(true);
      // The same words again are read out only where they were gone.
      setProblem('');
      const answer = await save(values);
      if (!isThere.current) {
        if (!answer.ok) tell(sentence(what, answer.error));
        return;
      }
      setBusy(false);
      if (answer.ok) {
        setFields({});
        return onSaved(answer.value);
      }
      setFields(answer.error.kind === 'http' ? answer.error.fields : {});
      setProblem(sentence(what, answer.error));
    },
  };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * A form for what others change, too: it saves only what was changed here, and takes over what is new in every field
 * that nobody has touched.
 * @param current as it is known now
 */
export function useEdit<V extends object, R>(
  current: V,
  what: string,
  save: (changed: Partial<V>, values: V) => Promise<Result<R>>,
  onSaved: (saved: R) => void,
): Form<V> {
  const filled = useRef(current);
  /** On its way, or saved: what the service makes of it stands in its place. */
  const sent = useRef<Partial<V>>({});
  const form = useForm(
    current,
    what,
    async (values) => {
      sent.current = only(values, (name) => !isSame(values[name], filled.current[name]));
      const answer = await save(sent.current, values);
      if (!answer.ok) sent.current = {};
      return answer;
    },
    onSaved,
  );
  useLayoutEffect(() => {
    const { values } = form;
    const isLeft = (name: keyof V) =>
      isSame(values[name], filled.current[name]) || isSame(values[name], sent.current[name]);
    form.set(only(current, (name) => !isSame(current[name], filled.current[name]) && isLeft(name)));
    filled.current = current;
  }, [JSON.stringify(current)]);
  return form;
}

function only<V extends object>(values: V, isWanted: (name: keyof V) => boolean): Partial<V> {
  const found: Partial<V> = {};
  for (const name in values) if (isWanted(name)) found[name] = values[name];
  return found;
}

const sentenceOf = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

export function FormBody({
  form,
  button,
  onCancel,
  children,
}: {
  form: Pick<Form<never>, 'problem' | 'busy' | 'submit'>;
  button: string;
  onCancel?: () => void;
  children: ComponentChildren;
}) {
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      {children}
      <div class="form-foot">
        <p role="alert" class="problem form-problem">
          {form.problem}
        </p>
        {onCancel && (
          <button type="button" class="secondary" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button type="submit" class="primary" aria-disabled={form.busy}>
          {button}
        </button>
      </div>
    </form>
  );
}
