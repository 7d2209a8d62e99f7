const LIGHT = `color-scheme:light;--rp-page:#fff;--rp-card:#f4f5f7;--rp-text:#1f2329;--rp-soft:#545b66;--rp-line:#d9dde3;\
--rp-edge:#7a828e;--rp-link:#1a56c4`

const DARK = `color-scheme:dark;--rp-page:#1b1d21;--rp-card:#25282e;--rp-text:#eceef1;--rp-soft:#aeb5bf;--rp-line:#3c414a;\
--rp-edge:#7f8794;--rp-link:#8ab4ff`

/**
 * Stylesheet of all previews, for pages whose Content-Security-Policy forbids `<style>`: add it to a stylesheet and
 * pass `css: false` to `toHtml`. Every selector starts with a class of the preview.
 *
 * @example
 * import { previewCss } from 'rapport-sdk/preview'
 *
 * const sheet = new CSSStyleSheet()
 * sheet.replaceSync(previewCss)
 * document.adoptedStyleSheets.push(sheet)
 */
export const previewCss: string = `.rapport-preview{${LIGHT};max-width:600px;padding:16px;background:var(--rp-page);\
color:var(--rp-text);font:16px/1.4 system-ui,sans-serif;overflow-wrap:anywhere;overflow:clip}\
.rapport-preview[data-theme=dark]{${DARK}}\
@media (prefers-color-scheme:dark){.rapport-preview[data-theme=auto]{${DARK}}}\
.rapport-preview,.rapport-preview *{box-sizing:border-box;margin:0;min-width:0}\
.rapport-preview a:not(.rp-button){color:var(--rp-link)}\
.rapport-preview img{display:block;width:100%;height:100%;object-fit:cover;border-radius:8px}\
.rapport-preview small{display:block;font-size:13px;color:var(--rp-soft)}\
.rapport-preview :is(summary,code){padding:0 6px;border-radius:4px;background:var(--rp-line);font-size:14px}\
.rapport-preview summary{cursor:pointer;width:fit-content}\
.rapport-preview pre{overflow:auto}\
.rapport-preview pre code{display:block;width:max-content;min-width:100%;padding:8px}\
.rapport-preview h1{font-size:24px}\
.rapport-preview h2{font-size:20px}\
.rapport-preview h3{font-size:17px}\
.rapport-preview blockquote{padding-left:12px;border-left:4px solid var(--rp-line)}\
.rp-text :is(ul,ol){padding:0 0 0 24px}\
.rp-text>*+*{margin-top:4px}\
.rp-stack>*+*{margin-top:8px}\
.rp-stack>.rp-gap,.rp-stack>.rp-gap+*{margin-top:0}\
.rp-stack>.rp-gap{height:8px;border:0}\
.rp-stack>.rp-gap-16{height:16px}\
.rp-stack>.rp-gap-32{height:32px}\
.rp-stack>hr.rp-gap{border-top:1px solid var(--rp-line)}\
.rp-hidden,.rp-hidden>summary{display:inline}\
.rp-hidden::details-content{display:inline}\
.rp-hidden:not([open])>span{display:none}\
.rp-row,.rp-section{display:flex;flex-wrap:wrap;gap:8px 12px}\
.rp-section>.rp-stack{flex:1 140px}\
.rp-section{align-items:start}\
.rp-button{display:inline-flex;align-items:center;justify-content:center;gap:8px;max-width:100%;min-height:36px;padding:6px 16px;\
border:1px solid #0000;border-radius:8px;background:var(--rp-line);color:var(--rp-text);font:500 14px system-ui,sans-serif;\
text-decoration:none;cursor:pointer}\
.rp-style-1{color:#fff;background:#2b5fd9}\
.rp-style-3{color:#fff;background:#1c7a41}\
.rp-style-4{color:#fff;background:#c22f2f}\
.rp-style-6{color:#fff;background:#6b3fc9}\
.rp-button:disabled,.rp-control:disabled{border:1px dashed var(--rp-edge);background:none;color:var(--rp-soft);opacity:1}\
.rp-icon{flex:none;width:14px;fill:none;stroke:currentColor;stroke-width:1.5}\
.rp-thumbnail{width:88px;aspect-ratio:1}\
.rp-container,.rp-modal,.rp-file{position:relative;padding:16px;border:1px solid var(--rp-line);border-radius:8px;background:var(--rp-card)}\
.rp-bar{position:absolute;inset:0 auto 0 0;width:4px;height:100%;border-radius:8px 0 0 8px}\
.rp-gallery{display:grid;grid-template-columns:repeat(auto-fit,minmax(30%,1fr));gap:8px}\
.rp-picture{aspect-ratio:4/3}\
.rp-picture>.rp-box,.rp-thumbnail>.rp-box{min-height:100%}\
.rp-box{display:grid;place-items:center;padding:8px;border:1px dashed var(--rp-edge);border-radius:8px;font-size:13px;color:var(--rp-soft)}\
.rp-modal>*+*,.rp-modal>.rp-stack>*+*{margin-top:16px}\
.rp-field{padding:0;border:0}\
.rp-field>:first-child{display:inline-block;padding:0;font-weight:600}\
.rp-field>[type=checkbox]{margin:0 8px}\
.rp-control{display:block;width:100%;min-height:40px;margin-top:4px;padding:8px;border:1px solid var(--rp-edge);border-radius:8px;\
background:var(--rp-page);color:var(--rp-text);font:inherit}\
.rp-control::placeholder{color:var(--rp-soft)}\
.rp-choice{display:grid;grid-template-columns:auto 1fr;gap:0 8px;padding-top:4px}\
.rp-choice small{grid-column:2}\
`
