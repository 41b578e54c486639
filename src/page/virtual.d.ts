declare module 'virtual:parley-page' {
  const later: import('../loader.js').Files<'bridge'>;
  export default later;
}
