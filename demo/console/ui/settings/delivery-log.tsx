/** What was sent and how it went, newest first; what is dead can be tried again. Knows not whose log it is. */

import { useState } from 'preact/hooks';
import { sentence } from '../../errors.js';
import { $now } from '../../state/clock.js';
import type { Desk } from '../../state/desk.js';
import type { Delivery } from '../../wire/admin.js';
import { Icon } from '../icons.js';
import { Select } from '../kit/fields.js';
import { Empty, Pager, Problem } from '../kit/page.js';
import { Table } from '../kit/table.js';
import { useAnswer, useLast } from '../kit/use-answer.js';
import { useHeir } from '../kit/use-heir.js';
import { ago, fullTime } from '../times.js';
import { useStore } from '../use-store.js';

const states = [
  ['', 'All'],
  ['waiting', 'Waiting'],
  ['delivered', 'Delivered'],
  ['dead', 'Given up'],
] as const;
const stateNames: Record<Delivery['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  dead: 'Given up',
};

interface Props {
  desk: Desk;
  of: Desk['api']['deliveries'];
  id: number;
}

export function DeliveryLog({ desk, of, id }: Props) {
  const [state, setState] = useState('');
  const [page, setPage] = useState(1);
  const log = useAnswer(`${id}|${state}|${page}`, () => of.list(id, { state, page }));
  const rows = log.value?.payload;
  const pages = useLast(log.value?.meta.total_pages) ?? 1;

  async function retry(one: Delivery) {
    desk.notices.hush('delivery');
    const answer = await of.retry(id, one.id);
    if (answer.ok) desk.notices.done('It is sent again.');
    else desk.notices.problem('delivery', sentence('It was not sent again', answer.error));
    await log.reload();
  }

  return (
    <>
      <div class="toolbar deliveries-toolbar">
        <Select
          label="State"
          choices={states}
          value={state}
          onChange={(next) => {
            setState(next);
            setPage(1);
          }}
        />
        <button type="button" class="secondary" onClick={() => void log.reload()}>
          <Icon name="refresh" /> Refresh
        </button>
      </div>
      {log.problem && <Problem text={log.problem} onRetry={log.reload} />}
      {rows?.length === 0 && (
        <Empty title="Nothing was sent">Whatever happens from now on appears here.</Empty>
      )}
      {!!rows?.length && (
        <Table
          label="Deliveries"
          look="deliveries"
          columns={[
            'Event',
            'State',
            'Answer',
            'Tries',
            'When',
            <span key="again" class="hidden">
              Try again
            </span>,
          ]}
        >
          {rows.map((one) => (
            <DeliveryRow key={one.id} one={one} onRetry={() => void retry(one)} />
          ))}
        </Table>
      )}
      <Pager page={page} pages={pages} onPage={setPage} what="Pages of deliveries" />
    </>
  );
}

function DeliveryRow({ one, onRetry }: { one: Delivery; onRetry(): void }) {
  const now = useStore($now);
  const at = Date.parse(one.created_at ?? '');
  return (
    <tr>
      <th scope="row">
        <code>{one.event}</code>
        <small>{one.delivery}</small>
      </th>
      <td>
        <span class={`chip ${one.state}`}>{stateNames[one.state]}</span>
      </td>
      <td>
        {one.response_status ?? '–'}
        {one.error && <small dir="auto">{one.error}</small>}
      </td>
      <td>{one.attempts}</td>
      <td>{Number.isNaN(at) ? '–' : <time title={fullTime(at)}>{ago(at, now)}</time>}</td>
      <td>{one.state === 'dead' && <SendAgain onClick={onRetry} />}</td>
    </tr>
  );
}

/** What is sent is waiting, and then the button goes: how it went is asked for beside the table. */
function SendAgain({ onClick }: { onClick(): void }) {
  const ref = useHeir<HTMLButtonElement>(() =>
    document.querySelector<HTMLElement>('.deliveries-toolbar button'),
  );
  return (
    <button ref={ref} type="button" class="secondary" onClick={onClick}>
      Send again
    </button>
  );
}
