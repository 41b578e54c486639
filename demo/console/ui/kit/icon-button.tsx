/** A quiet button that shows nothing but an icon; its name is for who does not see it. */
import type { ComponentProps } from 'preact';
import { Icon } from '../icons.js';
import { Tip } from './tip.js';

interface Props {
  icon: ComponentProps<typeof Icon>['name'];
  label: string;
  /** Shown to who points at it. */
  tip?: string;
  /** In place of the tip, where it tells more than the name: is said, too. */
  title?: string;
  onClick(): void;
}

export function IconButton({ icon, label, tip, title, onClick }: Props) {
  return (
    <button type="button" class="quiet icon-button" aria-label={label} title={title} onClick={onClick}>
      {tip ? (
        <Tip words={tip}>
          <Icon name={icon} />
        </Tip>
      ) : (
        <Icon name={icon} />
      )}
    </button>
  );
}
