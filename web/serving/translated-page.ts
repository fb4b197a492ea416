import { htmlFile, type Page, type PageFile, pageFile, textOf } from './page-file.ts'

export interface TranslatedPage {
  /** what it is called before its script has chosen a language */
  readonly title: string
  readonly description: string
  /** one sentence, for the list of operations */
  readonly summary: string
  /** file with what is inside the body, below the band at the top; from the project's folder */
  readonly file: string
  /** class of the body */
  readonly name: string
  /** paths of its own style sheets, of scripts that are no modules, and of the module that runs it */
  readonly styles: readonly string[]
  readonly libraries?: readonly string[]
  readonly script: string
}

/** `GET /`: a page of a component whose script speaks French, English and Arabic; `data-word` and `data-label` say where words go. */
export function translatedPage({ title, description, summary, file, name, styles, libraries = [], script }: TranslatedPage): Page {
  const loaded = [
    ...['/pages/civigraph.css', ...styles].map((path) => `<link rel="stylesheet" href="${path}">`),
    ...libraries.map((path) => `<script src="${path}" defer></script>`),
    `<script type="module" src="${script}"></script>`,
  ]
  const content = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="description" content="${description}">
  <title>${title} · Civigraph</title>
  <link rel="icon" href="/pages/emblem.svg" type="image/svg+xml">
  ${loaded.join('\n  ')}
</head>
<body class="${name}">
  <a class="skip" href="#content" data-word="skip">Skip to the content</a>
  <header class="band">
    <div class="wide">
      <a class="wordmark" href="/"><img src="/pages/emblem.svg" alt="" width="36" height="36">Civigraph</a>
      <nav aria-label="Service" data-label="navigation">
        <ul>
          <li><a href="/docs" data-word="documentation">Documentation</a></li>
          <li><a href="/health" data-word="health">Health</a></li>
        </ul>
      </nav>
      <nav class="languages" aria-label="Language of the page" data-label="languages">
        <ul>
          <li><a href="?lang=fr" lang="fr" hreflang="fr">Français</a></li>
          <li><a href="?lang=en" lang="en" hreflang="en">English</a></li>
          <li><a href="?lang=ar" lang="ar" hreflang="ar" dir="rtl">العربية</a></li>
        </ul>
      </nav>
    </div>
  </header>
${textOf(file)}</body>
</html>
`
  return { ...htmlFile('/', content), summary }
}

/** What every translated page loads. */
export function translationFiles(): readonly PageFile[] {
  return ['element', 'language'].map((name) => pageFile(`/pages/${name}.js`, `web/shared/${name}.js`))
}
