/** The few sentences of door 1, apart because every page pays for them. */
export const launcherEn = {
  region: 'Customer chat',
  openChat: 'Open chat',
  message: 'Message',
  notLoaded: 'The chat did not load. Please try again.',
};

/** What the button says once there is something to say. */
export const faceEn = {
  closeChat: 'Close chat',
  unread: { one: '{count} new message', other: '{count} new messages' },
};
