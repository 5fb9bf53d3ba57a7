/**
 * Characters that are not text: controls, and code points that will never be characters. HTML and XML do not allow them
 * even in an escaped form. Tabs and line breaks stay.
 */
const notText = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}/gu

/** For whatever leaves as HTML or XML. None of these characters can be part of our own markup. */
export const onlyText = (text: string) => text.replace(notText, '')

/** Nothing that a reader can see: spaces, controls, marks of direction, fillers, the empty Braille pattern. */
const unseen = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufff9-\ufffb]/gu

export const isBlank = (text: string) => text.replace(unseen, '') === ''

/** One picture made of several, a flag or a keycap: the invisible characters in it belong to it. */
const emoji = String.raw`\p{RGI_Emoji}|\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)+`
/** Scripts that are not spelt right without joiners, as in UAX #31. */
const joining = 'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt'
const letter = `[${joining
  .split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')}]`
// The joiner comes first: looking back from every mark would take the square of their number.
const joiner = String.raw`[\u200C\u200D](?<=${letter}\p{M}*[\u200C\u200D])(?=${letter})`
const variant = String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`
const space = String.raw`[\s\p{Cc}]+`
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB]`
const pieces = new RegExp(
  `(?<kept>${emoji}|${joiner}|${variant})|(?<space>${space})|(?<invisible>${invisible})`,
  'gv',
)

/**
 * A name without characters that cannot be seen or that reorder the text around them, which would make one name look like
 * another or a sentence read differently (UTS #39). Combining marks, emoji sequences and the joiners of scripts that need
 * them stay.
 */
export const cleanName = (name: string) =>
  name
    .replace(pieces, (found, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>
      if (groups.kept !== undefined) return found
      return groups.space === undefined ? '' : ' '
    })
    .trim()
