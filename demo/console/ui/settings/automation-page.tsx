/** Automation rules: the list with a switch each, or one of them as a form. */

import { useState } from 'preact/hooks';
import { sentence } from '../../errors.js';
import { ruleWords } from '../../model/rule.js';
import type { Desk } from '../../state/desk.js';
import { idIn } from '../../state/place.js';
import type { Rule } from '../../wire/admin.js';
import { Icon } from '../icons.js';
import { Confirm } from '../kit/dialog.js';
import { Switch } from '../kit/fields.js';
import { IconButton } from '../kit/icon-button.js';
import { Empty, PageFrame, Problem, Row } from '../kit/page.js';
import { ShelfProblem } from '../shelf-problem.js';
import { useShelf } from '../use-shelf.js';
import { useStore } from '../use-store.js';
import { DeliveryLog } from './delivery-log.js';
import { RuleEditor } from './rule-editor.js';
import { useRuleWords } from './rule-words.js';

const back = { href: '#/settings/automation', label: 'Automation' };

export function AutomationPage({ desk, path: [which, more] }: { desk: Desk; path: readonly string[] }) {
  const rules = useShelf(desk.shelves.rules);
  const id = idIn(which);
  if (which === 'new') {
    return (
      <PageFrame title="New rule" back={back}>
        <RuleEditor desk={desk} rule={undefined} />
      </PageFrame>
    );
  }
  if (id === undefined) return <RuleList desk={desk} />;
  const rule = rules?.find((one) => one.id === id);
  return (
    <PageFrame title={rule?.name ?? 'Rule'} back={back}>
      <ShelfProblem shelves={[desk.shelves.rules]} />
      {rule && more === 'log' && <DeliveryLog desk={desk} of={desk.api.ruleDeliveries} id={id} />}
      {rule && more !== 'log' && <RuleEditor desk={desk} rule={rule} />}
      {rules && !rule && <Empty title="This rule is not there any more" />}
    </PageFrame>
  );
}

function RuleList({ desk }: { desk: Desk }) {
  const rules = useShelf(desk.shelves.rules);
  const problem = useStore(desk.shelves.rules.$problem);
  const about = useRuleWords(desk);
  const [leaving, setLeaving] = useState<Rule | undefined>(undefined);

  async function remove(rule: Rule) {
    setLeaving(undefined);
    desk.notices.hush('rules');
    const answer = await desk.shelves.rules.remove(rule.id);
    if (answer.ok) desk.notices.done('The rule is gone.');
    else desk.notices.problem('rules', sentence('The rule was not deleted', answer.error));
  }

  return (
    <PageFrame
      title="Automation"
      lead="What happens by itself. What a rule does sets off no other rule."
      actions={
        <a class="button primary" href="#/settings/automation/new">
          <Icon name="plus" /> New rule
        </a>
      }
    >
      {problem && <Problem text={problem} onRetry={desk.shelves.rules.load} />}
      {rules?.length === 0 && (
        <Empty title="No rule yet">When a message contains “refund”, add a label and tell a team.</Empty>
      )}
      <ul class="rows">
        {rules?.map((rule) => (
          <RuleRow key={rule.id} desk={desk} rule={rule} about={about} onRemove={() => setLeaving(rule)} />
        ))}
      </ul>
      {leaving && (
        <Confirm
          title={`Delete ${leaving.name}?`}
          words="What it did stays done."
          button="Delete rule"
          onYes={() => void remove(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </PageFrame>
  );
}

interface RowProps {
  desk: Desk;
  rule: Rule;
  about: ReturnType<typeof useRuleWords>;
  onRemove(): void;
}

function RuleRow({ desk, rule, about, onRemove }: RowProps) {
  const words = ruleWords(rule, about.names, about.keys);

  async function turn(active: boolean) {
    desk.notices.hush('rules');
    const answer = await desk.shelves.rules.change(rule.id, { active });
    if (answer.ok) desk.notices.done(active ? 'The rule is on.' : 'The rule is off.');
    else desk.notices.problem('rules', sentence('The rule was not switched', answer.error));
    return answer.ok;
  }

  return (
    <Row look={rule.active ? 'rule' : 'rule off'}>
      <div class="row-body">
        <p class="row-title">
          <a href={`#/settings/automation/${rule.id}`}>
            <bdi>{rule.name}</bdi>
          </a>
        </p>
        <p class="row-more">
          <b>When</b> {words.event}
          {words.conditions && (
            <>
              {' '}
              <b>and</b> {words.conditions}
            </>
          )}
          , <b>then</b> {words.actions}.
        </p>
      </div>
      <div class="row-actions">
        <Switch label={`${rule.name} is on`} quietLabel value={rule.active} onChange={turn} />
        {rule.actions.some((action) => action.action_name === 'send_webhook_event') && (
          <a class="button quiet" href={`#/settings/automation/${rule.id}/log`}>
            Log<span class="hidden"> of {rule.name}</span>
          </a>
        )}
        <a
          class="button quiet icon-button"
          aria-label={`Edit ${rule.name}`}
          href={`#/settings/automation/${rule.id}`}
        >
          <Icon name="edit" />
        </a>
        <IconButton icon="trash" label={`Delete ${rule.name}`} tip="Delete" onClick={onRemove} />
      </div>
    </Row>
  );
}
