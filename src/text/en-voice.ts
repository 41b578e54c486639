/** The sentences of recording a voice, which come with the recorder. */
export const voiceEn = {
  recording: 'Recording',
  /** Of five minutes, so that a language with several plurals has the one for five. */
  recordingLimit: 'A recording can be up to {minutes} minutes long.',
  stopRecording: 'Stop and keep the recording',
  discardRecording: 'Discard the recording',
  askingMicrophone: 'Waiting for your microphone…',
  microphoneRefused: 'We cannot hear you: please allow the microphone for this page in your browser.',
  microphoneMissing:
    'We cannot hear you: please check that a microphone is connected and that no other app is using it.',
};
