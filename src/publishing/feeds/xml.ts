// Characters that XML cannot contain in any spelling. None of them can be part of our own markup.
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** A whole XML document around its root element. */
export const xmlDocument = (root: { toString(): string }) =>
  `<?xml version="1.0" encoding="utf-8"?>\n${String(root).replace(illegal, '')}`
