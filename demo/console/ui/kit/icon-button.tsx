/** A quiet button that shows nothing but an icon; its name is for who does not see it. */
import type { ComponentProps } from 'preact';
import { Icon } from '../icons.js';

interface Props {
  icon: ComponentProps<typeof Icon>['name'];
  label: string;
  /** Shown to who points at it. */
  title?: string;
  onClick(): void;
}

export function IconButton({ icon, label, title, onClick }: Props) {
  return (
    <button type="button" class="quiet icon-button" aria-label={label} title={title} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
