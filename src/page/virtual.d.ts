declare module 'virtual:parley-page' {
  const later: import('../embed/loader.js').Files<'bridge'>;
  export default later;
}
