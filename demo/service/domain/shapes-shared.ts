/** What REST and socket shapes share: times, attachments, senders. Shapes never read the database. */
import type { Core } from '../core.js';
import type { AgentRow, AttachmentRow, ContactFace, TeamRow } from '../store/rows.js';
import { avatarAddress } from './avatars.js';
import type { MessageView, Sender } from './messages-view.js';

export const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
/** A time that was never set is 0 in conversation shapes. */
export const secondsOr0 = (at: Date | null) => (at ? seconds(at) : 0);
export const secondsOrNull = (at: Date | null) => (at ? seconds(at) : null);
export const iso = (at: Date) => at.toISOString();
export const isoOrNull = (at: Date | null) => (at ? iso(at) : null);

export function attachmentShape(core: Core, attachment: AttachmentRow) {
  const url = `${core.publicUrl()}/uploads/${attachment.key}/${encodeURIComponent(attachment.file_name)}`;
  return {
    id: attachment.id,
    message_id: attachment.message_id,
    account_id: attachment.account_id,
    file_type: attachment.file_type,
    extension: attachment.extension,
    data_url: url,
    thumb_url: attachment.file_type === 'image' ? url : '',
    file_size: attachment.file_size,
    width: attachment.width,
    height: attachment.height,
    fallback_title: attachment.file_name,
    ...(attachment.file_type === 'audio' ? { transcribed_text: '' } : {}),
  };
}

export const contactSender = (core: Core, contact: ContactFace) => ({
  additional_attributes: contact.additional_attributes,
  custom_attributes: contact.custom_attributes,
  email: contact.email,
  id: contact.id,
  identifier: contact.identifier,
  name: contact.name,
  phone_number: contact.phone_number,
  thumbnail: avatarAddress(core, contact.avatar_url),
  blocked: contact.blocked,
  type: 'contact',
});

export const userSender = (user: AgentRow) => ({
  id: user.id,
  name: user.name,
  available_name: user.display_name || user.name,
  avatar_url: user.avatar_url,
  type: 'user',
  availability_status: user.availability,
  thumbnail: user.avatar_url,
});

export const teamShape = (team: TeamRow) => ({
  id: team.id,
  name: team.name,
  description: team.description,
  allow_auto_assign: team.allow_auto_assign,
  account_id: team.account_id,
});

const senderShape = (core: Core, sender: Sender) =>
  sender.type === 'contact' ? contactSender(core, sender.contact) : userSender(sender.user);

/** Keys that are absent, not empty, when there is nothing to say. */
export function optionalParts(core: Core, view: MessageView) {
  return {
    ...(view.message.echo_id === null ? {} : { echo_id: view.message.echo_id }),
    ...(view.attachments.length
      ? { attachments: view.attachments.map((a) => attachmentShape(core, a)) }
      : {}),
    ...(view.sender ? { sender: senderShape(core, view.sender) } : {}),
  };
}
