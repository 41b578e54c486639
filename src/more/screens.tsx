/** What slides over the window: one of the screens. */
import type { JSX } from 'preact';
import type { Screen } from '../ui/context.js';
import { End } from './end.js';
import { Keep } from './keep.js';
import { List } from './list.js';
import type { ScreenProps } from './screen-frame.js';

export function Screens({ screen, ...props }: ScreenProps & { screen: Screen }): JSX.Element {
  if (screen === 'conversations') return <List {...props} />;
  return screen === 'end' ? <End {...props} /> : <Keep {...props} />;
}
