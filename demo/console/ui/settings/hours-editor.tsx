/** A week: each day closed, open all day, or from one time to another. */
import type { WorkingDay } from '../../wire/admin.js';

const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const fromMonday = [1, 2, 3, 4, 5, 6, 0];
const pad = (number: number) => String(number).padStart(2, '0');
const timeOf = (hour: number | null, minutes: number | null) => `${pad(hour ?? 0)}:${pad(minutes ?? 0)}`;

type Mode = 'closed' | 'hours' | 'all';
const modeOf = (day: WorkingDay): Mode =>
  day.closed_all_day ? 'closed' : day.open_all_day ? 'all' : 'hours';

function withMode(day: WorkingDay, mode: Mode): WorkingDay {
  const hours = mode === 'hours';
  return {
    day_of_week: day.day_of_week,
    closed_all_day: mode === 'closed',
    open_all_day: mode === 'all',
    open_hour: hours ? (day.open_hour ?? 9) : null,
    open_minutes: hours ? (day.open_minutes ?? 0) : null,
    close_hour: hours ? (day.close_hour ?? 17) : null,
    close_minutes: hours ? (day.close_minutes ?? 0) : null,
  };
}

interface Props {
  days: readonly WorkingDay[];
  onChange(days: WorkingDay[]): void;
}

export function HoursEditor({ days, onChange }: Props) {
  const change = (next: WorkingDay) =>
    onChange(days.map((day) => (day.day_of_week === next.day_of_week ? next : day)));
  const ordered = fromMonday.flatMap((number) => days.find((day) => day.day_of_week === number) ?? []);
  return (
    <ul class="hours">
      {ordered.map((day) => (
        <Day key={day.day_of_week} day={day} onChange={change} />
      ))}
    </ul>
  );
}

function Day({ day, onChange }: { day: WorkingDay; onChange(day: WorkingDay): void }) {
  const name = names[day.day_of_week] ?? '';
  const mode = modeOf(day);
  const times = (which: 'open' | 'close', text: string) => {
    const [hour = 0, minutes = 0] = text.split(':').map(Number);
    onChange({ ...day, [`${which}_hour`]: hour, [`${which}_minutes`]: minutes });
  };
  return (
    <li>
      <span class="day-name">{name}</span>
      <select
        aria-label={name}
        value={mode}
        onChange={({ currentTarget: { value } }) =>
          onChange(withMode(day, value === 'closed' || value === 'all' ? value : 'hours'))
        }
      >
        <option value="hours">Open</option>
        <option value="closed">Closed</option>
        <option value="all">All day</option>
      </select>
      {mode === 'hours' && (
        <span class="times">
          <Time
            label={`${name} from`}
            value={timeOf(day.open_hour, day.open_minutes)}
            onChange={(text) => times('open', text)}
          />
          <span aria-hidden="true">–</span>
          <Time
            label={`${name} until`}
            value={timeOf(day.close_hour, day.close_minutes)}
            onChange={(text) => times('close', text)}
          />
        </span>
      )}
    </li>
  );
}

/** Half a time is none: while one is written the last whole one is kept, and is shown again where nothing came of it. */
function Time({ label, value, onChange }: { label: string; value: string; onChange(text: string): void }) {
  return (
    <input
      type="time"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => currentTarget.value && onChange(currentTarget.value)}
      onBlur={({ currentTarget }) => {
        if (!currentTarget.value) currentTarget.value = value;
      }}
    />
  );
}
