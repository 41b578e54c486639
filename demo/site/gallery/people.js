/** Who speaks in the gallery. */
export const people = (t) => ({
  ada: { id: 1, type: 'user', name: t('Ada Lindqvist', 'أمينة الحداد'), available_name: t('Ada', 'أمينة') },
  tore: { id: 2, type: 'user', name: t('Tore Haugen', 'طارق يوسف'), available_name: t('Tore', 'طارق') },
  photo: {
    id: 3,
    type: 'user',
    name: t('Ingrid', 'إيمان'),
    avatar_url: `${location.origin}/art/ember-mug.svg`,
  },
  bot: { id: 9, type: 'agent_bot', name: t('Northlight helper', 'مساعد نورثلايت') },
});
