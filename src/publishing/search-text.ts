/** Text as it is searched: one case, one form of each character, words separated by single spaces. */
export const toSearchText = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .trim()
    .replace(/\s\s+|[^\S ]/g, ' ')
