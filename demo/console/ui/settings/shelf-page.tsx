/**
 * The page of a shelf: its things as rows, a dialog to make or change one, a question before one goes. Knows no kind
 * of thing; a kind says how a row reads and what its form is.
 */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { sentence } from '../../errors.js';
import type { Notices } from '../../state/notices.js';
import type { Shelf } from '../../state/shelf.js';
import { Icon } from '../icons.js';
import { Confirm, Dialog } from '../kit/dialog.js';
import { IconButton } from '../kit/icon-button.js';
import { Empty, PageFrame, Problem, Row } from '../kit/page.js';
import { useShelf } from '../use-shelf.js';
import { useStore } from '../use-store.js';

/** How a form ends. */
export interface Ends {
  /** @param more to be said, in a sentence of its own */
  onSaved(more?: string): void;
  onCancel(): void;
}

interface Props<T extends { id: number }> {
  title: string;
  lead: string;
  /** In the singular, as within a sentence: `label`. */
  noun: string;
  shelf: Shelf<T>;
  notices: Notices;
  nameOf(item: T): string;
  row(item: T): ComponentChildren;
  form(item: T | undefined, ends: Ends): ComponentChildren;
  /** Where its own page is, for things that have one. */
  hrefOf?(item: T): string;
  emptyWords: string;
  goneWords: string;
  before?: ComponentChildren;
  canRemove?(item: T): boolean;
}

export function ShelfPage<T extends { id: number }>(props: Props<T>) {
  const { noun, shelf, nameOf, notices } = props;
  const items = useShelf(shelf);
  const problem = useStore(shelf.$problem);
  const [editing, setEditing] = useState<T | 'new' | undefined>(undefined);
  /** As it is known now; as it was, where a colleague has deleted it. */
  const edited = editing === 'new' ? undefined : (items?.find(({ id }) => id === editing?.id) ?? editing);
  const [leaving, setLeaving] = useState<T | undefined>(undefined);

  function edit(item: T) {
    setEditing(item);
    void shelf.load();
  }

  const ends: Ends = {
    onSaved(more) {
      setEditing(undefined);
      notices.done(`The ${noun} is saved.${more ? ` ${more}` : ''}`);
    },
    onCancel: () => setEditing(undefined),
  };

  async function remove(item: T) {
    setLeaving(undefined);
    notices.hush('shelf');
    const answer = await shelf.remove(item.id);
    if (answer.ok) notices.done(`The ${noun} is gone.`);
    else notices.problem('shelf', sentence(`The ${noun} was not deleted`, answer.error));
  }

  return (
    <PageFrame
      title={props.title}
      lead={props.lead}
      actions={
        <button type="button" class="primary" onClick={() => setEditing('new')}>
          <Icon name="plus" /> New {noun}
        </button>
      }
    >
      {props.before}
      {problem && <Problem text={problem} onRetry={shelf.load} />}
      {items?.length === 0 && <Empty title={`No ${noun} yet`}>{props.emptyWords}</Empty>}
      <ul class="rows">
        {items?.map((item) => (
          <Row key={item.id}>
            <div class="row-body">{props.row(item)}</div>
            <div class="row-actions">
              {props.hrefOf && (
                <a class="button quiet" href={props.hrefOf(item)}>
                  Open<span class="hidden"> {nameOf(item)}</span>
                </a>
              )}
              <IconButton icon="edit" label={`Edit ${nameOf(item)}`} tip="Edit" onClick={() => edit(item)} />
              {(props.canRemove?.(item) ?? true) && (
                <IconButton
                  icon="trash"
                  label={`Delete ${nameOf(item)}`}
                  tip="Delete"
                  onClick={() => setLeaving(item)}
                />
              )}
            </div>
          </Row>
        ))}
      </ul>
      {editing && (
        <Dialog title={editing === 'new' ? `New ${noun}` : `Edit ${noun}`} onClose={ends.onCancel}>
          {props.form(edited, ends)}
        </Dialog>
      )}
      {leaving && (
        <Confirm
          title={`Delete ${nameOf(leaving)}?`}
          words={props.goneWords}
          button={`Delete ${noun}`}
          onYes={() => void remove(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </PageFrame>
  );
}
