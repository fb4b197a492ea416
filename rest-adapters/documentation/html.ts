import { escapeHtml } from '../../web/shared/page-file.ts'

/** A page that needs no script. @param body - HTML */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)} · Civigraph</title>
  <link rel="icon" href="/pages/emblem.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/pages/civigraph.css">
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  <header class="band">
    <div class="wide"><span class="wordmark"><img src="/pages/emblem.svg" alt="" width="36" height="36">Civigraph</span></div>
  </header>
  <main class="wide" id="content" tabindex="-1">
${body}
  </main>
</body>
</html>
`
}
