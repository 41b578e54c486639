export { feedbackModalIntegration } from 'feedback-late';
