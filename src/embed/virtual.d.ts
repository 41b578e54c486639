declare module 'virtual:parley-doors' {
  const doors: import('../loader.js').Files<'front' | 'window' | 'engine'>;
  export default doors;
}
declare module 'virtual:parley-later' {
  const later: import('../loader.js').Files<keyof import('../ui/later.js').Files>;
  export default later;
}
declare module 'virtual:parley-beside' {
  const beside: import('../loader.js').Files<'kit'>;
  export default beside;
}
declare module 'virtual:parley-stage' {
  const files: import('../loader.js').Files<'owner' | 'locales'>;
  export default files;
}
declare module 'virtual:parley-doctor' {
  const doctor: import('../loader.js').Files<'doctor'>;
  export default doctor;
}
declare module 'virtual:parley-notice' {
  const notice: import('../loader.js').Files<'notice'>;
  export default notice;
}
declare module 'virtual:parley-locales' {
  const locales: import('../loader.js').Files<string>;
  export default locales;
}
