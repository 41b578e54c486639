/** The sentences of what is shown and done for a message that comes while nobody looks. */
export const noticeEn = {
  noticeNews: 'New messages',
  noticeDismiss: 'Dismiss',
};
