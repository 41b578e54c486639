/**
 * The fact by which the owner's first words stay away: those that were sent away, or have led to the chat. Others are
 * new. In a file of its own, because what several files share would be one file more to fetch.
 * @see HABITS
 */
export const INVITED = 'invited';
