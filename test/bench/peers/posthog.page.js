const base = new URL('.', document.baseURI).href.replace(/\/$/, '');
const script = document.createElement('script');
script.async = true;
script.src = `${base}/static/array.js`;
script.onload = () =>
  window.posthog.init('bench', {
    api_host: base,
    autocapture: false,
    capture_pageview: false,
    capture_pageleave: false,
    disable_session_recording: true,
    disable_surveys: true,
  });
document.head.append(script);
