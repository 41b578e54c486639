/** Teams and who is in them. */
import { useRef } from 'preact/hooks';
import { peopleBetween } from '../../model/people.js';
import type { Desk } from '../../state/desk.js';
import type { Team } from '../../wire/admin.js';
import { Checks, TextField } from '../kit/fields.js';
import { FormBody, useEdit } from '../kit/form.js';
import { Problem } from '../kit/page.js';
import { useAnswer } from '../kit/use-answer.js';
import { ShelfProblem } from '../shelf-problem.js';
import { useShelf } from '../use-shelf.js';
import { type Ends, ShelfPage } from './shelf-page.js';

export function TeamsPage({ desk }: { desk: Desk; path: readonly string[] }) {
  return (
    <ShelfPage
      title="Teams"
      lead="Conversations can be given to a team, and reports compare teams."
      noun="team"
      shelf={desk.shelves.teams}
      notices={desk.notices}
      nameOf={(team) => team.name}
      emptyWords="Support and sales, for a start."
      goneWords="Its conversations stay, without a team."
      row={(team) => (
        <>
          <p class="row-title">
            <bdi>{team.name}</bdi>
          </p>
          {team.description && <p class="row-more">{team.description}</p>}
        </>
      )}
      form={(team, ends) => <TeamLoader desk={desk} team={team} {...ends} />}
    />
  );
}

interface FormProps extends Ends {
  desk: Desk;
  team: Team | undefined;
}

function TeamLoader({ desk, team, ...ends }: FormProps) {
  const members = useAnswer(String(team?.id), () =>
    team ? desk.api.teamMembers(team.id) : Promise.resolve({ ok: true as const, value: [] }),
  );
  if (members.problem) return <Problem text={members.problem} onRetry={members.reload} />;
  if (!members.value) return null;
  const ids = members.value.map(({ id }) => String(id));
  return <TeamForm desk={desk} team={team} members={ids} {...ends} />;
}

function TeamForm({ desk, team, members, onSaved, onCancel }: FormProps & { members: string[] }) {
  const agents = useShelf(desk.shelves.agents) ?? [];
  // Made, although its members may not be kept yet.
  const made = useRef(team);
  const form = useEdit(
    { name: team?.name ?? '', description: team?.description ?? '', members },
    'The team was not saved',
    async ({ members: _, ...changed }, { name, description, members: chosen }) => {
      const saved = made.current
        ? await desk.shelves.teams.change(made.current.id, changed)
        : await desk.shelves.teams.create({ name, description });
      if (!saved.ok) return saved;
      made.current = saved.value;
      return desk.api.changeTeamMembers(saved.value.id, peopleBetween(members, chosen));
    },
    () => onSaved(),
  );
  return (
    <FormBody form={form} button="Save team" onCancel={onCancel}>
      <TextField label="Name" {...form.bind('name')} />
      <TextField label="Description" {...form.bind('description')} />
      <ShelfProblem shelves={[desk.shelves.agents]} />
      <Checks
        legend="Members"
        choices={agents.map((agent) => [String(agent.id), agent.name] as const)}
        value={form.values.members}
        onChange={(next) => form.set({ members: [...next] })}
      />
    </FormBody>
  );
}
