/** Webhooks: where events go, and the log of what was sent. A new one's secret is shown once. */
import type { Desk } from '../../state/desk.js';
import { idIn } from '../../state/place.js';
import type { Webhook } from '../../wire/admin.js';
import { Checks, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { PageFrame } from '../kit/page.js';
import { useShelf } from '../use-shelf.js';
import { DeliveryLog } from './delivery-log.js';
import { Secrets } from './secret.js';
import { type Ends, ShelfPage } from './shelf-page.js';

const events = [
  ['conversation_created', 'A conversation begins'],
  ['conversation_status_changed', 'A conversation changes its state'],
  ['conversation_updated', 'A conversation is changed'],
  ['message_created', 'A message is written'],
  ['message_updated', 'A message is changed or answered'],
  ['contact_created', 'A contact is new'],
  ['contact_updated', 'A contact is changed'],
  ['webwidget_triggered', 'A client of your own tells that its chat was opened'],
  ['conversation_typing_on', 'Somebody begins to type'],
  ['conversation_typing_off', 'Somebody stops typing'],
] as const;

export function WebhooksPage({ desk, path }: { desk: Desk; path: readonly string[] }) {
  const id = idIn(path[0]);
  return id === undefined ? <WebhookList desk={desk} /> : <Log desk={desk} id={id} />;
}

function Log({ desk, id }: { desk: Desk; id: number }) {
  const webhook = useShelf(desk.shelves.webhooks)?.find((one) => one.id === id);
  return (
    <PageFrame
      title={webhook ? webhook.name || hostOf(webhook.url) : 'Deliveries'}
      lead={webhook?.url ?? ''}
      back={{ href: '#/settings/webhooks', label: 'Webhooks' }}
    >
      <DeliveryLog desk={desk} of={desk.api.deliveries} id={id} />
    </PageFrame>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function WebhookList({ desk }: { desk: Desk }) {
  return (
    <ShelfPage
      title="Webhooks"
      lead="Events are sent to your own systems, signed, and ten times at most until they are taken."
      noun="webhook"
      shelf={desk.shelves.webhooks}
      notices={desk.notices}
      nameOf={(one) => one.name || hostOf(one.url)}
      hrefOf={(one) => `#/settings/webhooks/${one.id}`}
      emptyWords="Tell your shop or your data warehouse what happens here."
      goneWords="Nothing is sent there any more, and its log goes, too."
      before={
        <Secrets
          words="The secret that signs every delivery. It is shown only now: keep it where the receiver can read it."
          told={desk.secrets.webhooks}
        />
      }
      row={(one) => (
        <>
          <p class="row-title">
            <bdi>{one.name || hostOf(one.url)}</bdi>
            <span class="chip">
              {one.subscriptions.length} {one.subscriptions.length === 1 ? 'event' : 'events'}
            </span>
          </p>
          <p class="row-more">
            <bdi>{one.url}</bdi>
          </p>
        </>
      )}
      form={(one, ends) => <WebhookForm desk={desk} webhook={one} {...ends} />}
    />
  );
}

interface FormProps extends Ends {
  desk: Desk;
  webhook: Webhook | undefined;
}

function WebhookForm({ desk, webhook, onSaved, onCancel }: FormProps) {
  const form = useEdit(
    {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      subscriptions: webhook?.subscriptions ?? ['message_created', 'conversation_created'],
    },
    'The webhook was not saved',
    async (changed, values) => {
      if (webhook) return desk.shelves.webhooks.change(webhook.id, changed);
      const answer = await desk.shelves.webhooks.create(values);
      if (answer.ok && answer.value.secret)
        desk.secrets.webhooks.tell(answer.value.name || hostOf(answer.value.url), answer.value.secret);
      return answer;
    },
    () => onSaved(webhook ? undefined : 'The secret is shown once, above the list.'),
  );
  return (
    <FormBody form={form} button="Save webhook" onCancel={onCancel}>
      <TextField label="Name" {...form.bind('name')} />
      <TextField label="Address" type="url" placeholder="https://" {...form.bind('url')} />
      <Checks
        legend="Events"
        choices={events}
        value={form.values.subscriptions}
        onChange={(next) => form.set({ subscriptions: [...next] })}
      />
    </FormBody>
  );
}
