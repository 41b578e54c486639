/** The numbers of an accent: what is derived from it, by day and by night, and how well it can be seen. */
import { contrastsOf } from '../model/contrast.js';
import { asBytes, asHex } from './colour.js';

const STANDARD = '#3a4fd8';
/** What is asked of words; lines may have less. */
const TEXT = 4.5;

const number = (ratio: number) => (Math.floor(ratio * 100) / 100).toFixed(2);

export function Contrasts({ accent = STANDARD }: { accent: string | undefined }) {
  const colour = asBytes(accent);
  const schemes = colour && contrastsOf(colour);
  if (!schemes)
    return <p class="hint">Until this is a colour that it takes, the chat keeps its own accent.</p>;
  const [day, night] = schemes;
  const lifted = schemes.filter((scheme) => asHex(scheme.accent) !== asHex(accent));
  return (
    <div class="contrasts">
      <table>
        <caption>Contrast, the worst of all grounds</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">By day</th>
            <th scope="col">By night</th>
            <th scope="col">Asked</th>
          </tr>
        </thead>
        <tbody>
          {day?.contrasts.map(({ what, least }, i) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              {[day, night].map((scheme) => {
                const one = scheme?.contrasts[i];
                return (
                  one && (
                    <td key={scheme?.name}>
                      <span
                        class={least < TEXT ? 'swatch line-swatch' : 'swatch'}
                        style={{ color: one.colour, background: one.ground }}
                        aria-hidden="true"
                      >
                        {least < TEXT ? '' : 'Aa'}
                      </span>
                      <span class={one.ratio < least ? 'problem' : undefined}>{number(one.ratio)}</span>
                    </td>
                  )
                );
              })}
              <td>{number(least)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lifted.map((scheme) => (
        <p key={scheme.name} class="hint">
          By {scheme.name === 'dark' ? 'night' : 'day'} the accent is painted as{' '}
          <code>{asHex(scheme.accent)}</code>, or it would not be seen.
        </p>
      ))}
    </div>
  );
}
