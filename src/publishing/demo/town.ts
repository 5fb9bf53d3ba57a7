import type { View } from '#platform/demo-pictures.ts'

/** The accounts of the demo. */
export const people = {
  mira: {
    username: 'Mira Okafor',
    bio: 'Harbour pilot. Tide tables, lighthouses, long walks.',
    location: 'Whitby',
    website: 'https://example.com/mira',
  },
  jonas: { username: 'Jonas Lind', bio: 'Brödbak och cykelturer.', location: 'Uppsala' },
  haruka: { username: '遥', bio: '写真と珈琲。ときどき散歩。', location: '京都' },
  layla: { username: 'ليلى حداد', bio: 'أكتب عن الكتب والمدن القديمة.', location: 'بيروت' },
  dmytro: { username: 'Дмитро Коваль', bio: 'Астрономія з балкона. Телескоп 150 мм.', location: 'Львів' },
  priya: { username: 'प्रिया नायर', bio: 'मसाले, रेलगाड़ियाँ और बारिश।', location: 'कोच्चि' },
  tomas: { username: 'Tomás Ferreira', bio: 'Luthier. Conserto violões e ouço discos.', location: 'Porto' },
  harbour: {
    username: 'Harbour Office',
    bio: 'Notices to mariners. Posted by a script.',
    location: 'Whitby',
  },
  quiet_ana: { username: 'Ana', bio: 'Friends only.', location: 'Coimbra', is_protected: true },
  cheap_lamps: { username: 'CHEAP LAMPS!!!', bio: 'Lamps. Cheap. Now.', location: 'Everywhere' },
} as const

export type Handle = keyof typeof people

/** What their pictures show. */
export const views: Partial<Record<Handle, View>> = {
  mira: { top: [70, 140, 210], horizon: [205, 232, 246], sun: [255, 250, 220], hills: [[90, 160, 190], [50, 120, 160], [24, 78, 118]] },
  haruka: { top: [250, 214, 222], horizon: [255, 240, 236], sun: [232, 74, 72], hills: [[196, 150, 170], [130, 100, 130], [70, 60, 90]] },
  dmytro: { top: [12, 16, 48], horizon: [52, 60, 120], sun: [240, 240, 224], hills: [[44, 48, 90], [30, 32, 66], [16, 18, 42]] },
  jonas: { top: [120, 176, 214], horizon: [244, 226, 180], sun: [255, 208, 90], hills: [[206, 176, 96], [150, 140, 70], [84, 100, 56]] },
  layla: { top: [214, 130, 90], horizon: [250, 214, 160], sun: [255, 240, 200], hills: [[206, 150, 110], [160, 104, 84], [104, 66, 66]] },
  tomas: { top: [70, 44, 96], horizon: [236, 120, 90], sun: [255, 196, 110], hills: [[130, 70, 100], [86, 46, 80], [44, 26, 56]] },
} // biome-ignore format: a table

export const verifiedAccount: Handle = 'harbour'
export const suspendedAccount: Handle = 'cheap_lamps'
export const protectedAccount: Handle = 'quiet_ana'
/** Whose follow requests the protected account accepts. */
export const approved: Handle[] = ['tomas', 'mira']

type Line = {
  by: Handle
  /** Hours before now. */
  ago: number
  text: string
  /** A name by which later posts refer to it. */
  as?: string
  answers?: string
  quotes?: string
  likedBy?: Handle[]
  repostedBy?: Handle[]
}

/** Their posts, oldest first. */
export const lines: Line[] = [
  {
    by: 'haruka',
    ago: 190,
    text: '朝の鴨川で一枚。#写真 #京都',
    as: 'river',
    likedBy: ['mira', 'priya', 'jonas'],
  },
  {
    by: 'layla',
    ago: 171,
    text: 'وجدتُ اليوم مكتبةً لا تبيع إلا الخرائط. **ضعتُ** فيها ساعتين. #كتب #خرائط',
    as: 'maps',
    likedBy: ['haruka', 'dmytro', 'tomas'],
  },
  {
    by: 'jonas',
    ago: 150,
    text: 'Dagens bröd: råg och kummin. #bröd',
    as: 'bread',
    likedBy: ['mira', 'tomas'],
  },
  {
    by: 'dmytro',
    ago: 122,
    text: 'Ясна ніч. Кільця Сатурна видно навіть у маленький телескоп. #астрономія',
    as: 'saturn',
    likedBy: ['haruka', 'mira', 'layla', 'priya'],
    repostedBy: ['haruka'],
  },
  {
    by: 'priya',
    ago: 98,
    text: 'पहली बारिश, और पूरा घर इलायची की चाय से महक रहा है। #बारिश #चाय',
    as: 'rain',
    likedBy: ['haruka', 'layla'],
  },
  { by: 'cheap_lamps', ago: 96, text: 'LAMPS LAMPS LAMPS https://example.com/lamps #tides #bröd' },
  {
    by: 'tomas',
    ago: 75,
    text: 'Um violão de 1962 chegou hoje à oficina. Tampo rachado, *som intacto*. #luthier',
    as: 'guitar',
    likedBy: ['mira', 'jonas', 'quiet_ana'],
  },
  { by: 'quiet_ana', ago: 74, text: 'Só para amigos: amanhã faço anos.', as: 'birthday', likedBy: ['tomas'] },
  {
    by: 'mira',
    ago: 50,
    text: 'Reading up on fog signals. Did you know that some were fired by *gun cotton*? #lighthouses',
    as: 'fog',
    likedBy: ['dmytro', 'jonas'],
    repostedBy: ['harbour', 'haruka'],
  },
  {
    by: 'dmytro',
    ago: 49,
    text: 'And ships answered with a bell, every two minutes. `••· ••·`',
    as: 'bell',
    answers: 'fog',
    likedBy: ['mira'],
  },
  {
    by: 'mira',
    ago: 48.5,
    text: '@dmytro exactly! The bell of the old lightship is in our museum.',
    answers: 'bell',
    likedBy: ['dmytro'],
  },
  { by: 'haruka', ago: 30, text: '新しい珈琲豆、香りがいい。#珈琲', likedBy: ['priya'] },
  { by: 'jonas', ago: 27, text: 'Fyris å i solnedgången, 24 km på cykeln. #cykel', likedBy: ['haruka'] },
  {
    by: 'harbour',
    ago: 9,
    text: 'Notice 114: the swing bridge stays closed on Saturday, 08:00 to 11:00. Details: [notices](https://example.com/notices/114) #whitby',
    as: 'bridge',
    repostedBy: ['mira'],
  },
  {
    by: 'mira',
    ago: 5,
    text: 'Low tide at **noon**: the old wreck is out of the sand again. #tides #whitby',
    as: 'wreck',
    likedBy: ['jonas', 'haruka', 'tomas', 'dmytro', 'layla'],
    repostedBy: ['harbour'],
  },
  {
    by: 'jonas',
    ago: 4.5,
    text: 'I want to see that wreck! How long does it stay?',
    as: 'question',
    answers: 'wreck',
    likedBy: ['mira'],
  },
  {
    by: 'mira',
    ago: 4.4,
    text: '@jonas two hours if you are lucky. Bring boots.',
    as: 'boots',
    answers: 'question',
    likedBy: ['jonas', 'tomas'],
  },
  { by: 'tomas', ago: 4, text: 'Boots, and a camera, @haruka!', answers: 'boots', likedBy: ['haruka'] },
  {
    by: 'layla',
    ago: 3,
    text: 'كل مدينة ساحلية تخبئ سفينة تحت رملها.',
    quotes: 'wreck',
    likedBy: ['mira', 'dmytro'],
  },
  {
    by: 'mira',
    ago: 1.5,
    text: 'Smells good from here, @jonas. Do you ship?',
    quotes: 'bread',
    likedBy: ['jonas'],
  },
  {
    by: 'harbour',
    ago: 1,
    text: 'Notice 115: the pilot boat is back in service. Thank you for your patience, @mira. #whitby',
    likedBy: ['mira'],
  },
  { by: 'mira', ago: 0.4, text: 'Whoever painted the harbour railings blue, thank you.', likedBy: ['layla'] },
  {
    by: 'priya',
    ago: 0.2,
    text: 'कल की ट्रेन की खिड़की से: समुद्र, नारियल, समुद्र। #रेल',
    likedBy: ['haruka', 'tomas'],
  },
]
