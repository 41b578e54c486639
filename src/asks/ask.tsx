/** What stands below the words of a message, by its kind; for a kind or a shape we do not know, the words in it. */
import type { JSX } from 'preact';
import { wordsIn } from '../content/gist.js';
import { Content } from '../ui/content.js';
import { useSurroundings } from '../ui/context.js';
import type { Message } from '../wire/message.js';
import { AskedEmail, AskedForm } from './asked.js';
import { Articles, Cards } from './cards.js';
import { Choices } from './choices.js';
import { RatingView } from './rating.js';
import { readArticles, readCards, readFields, readOptions } from './read.js';

export function Ask({ message }: { message: Message }): JSX.Element | null {
  const { say } = useSurroundings();
  const known = message.message_type ? askOf(message) : undefined;
  if (known) return known;
  if (message.content?.trim() || message.attachments?.length) return null;
  return <Content words={wordsIn(message.content_attributes) || say('notShown')} marked={false} />;
}

function askOf(message: Message): JSX.Element | undefined {
  const { content_type: type, content_attributes: attributes } = message;
  switch (type) {
    case 'input_select': {
      const options = readOptions(attributes.items);
      return options.length ? <Choices message={message} options={options} /> : undefined;
    }
    case 'form': {
      const fields = readFields(attributes);
      return fields.length ? <AskedForm message={message} fields={fields} /> : undefined;
    }
    case 'input_email':
      return <AskedEmail message={message} />;
    case 'input_csat':
      return <RatingView message={message} />;
    case 'cards': {
      const cards = readCards(attributes);
      return cards.length ? <Cards cards={cards} /> : undefined;
    }
    case 'article': {
      const articles = readArticles(attributes);
      return articles.length ? <Articles articles={articles} /> : undefined;
    }
  }
  return undefined;
}
