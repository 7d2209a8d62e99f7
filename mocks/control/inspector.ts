/** Returns the page of the inspector. @param nonce nonce of its scripts and styles, for the Content-Security-Policy. */
export function inspectorPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>rapport-mock</title>
<style nonce="${nonce}">body { font: 1rem system-ui; margin: 2rem; color-scheme: light dark }</style>
<h1>rapport-mock</h1>
<p>The control API is described by <a href="openapi.json">openapi.json</a>.</p>
</html>
`
}
