import { useLayoutEffect } from 'preact/hooks'

/** Sets the size of the paper while a page is shown, such as `size: A4; margin: 15mm`. */
export const usePageRule = (rule: string) =>
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`@page { ${rule} }`)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [rule])
