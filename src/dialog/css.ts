/** Style sheet of the dialog. #767676 has enough contrast on light and on dark backgrounds. */
export const CSS = `:host{display:contents}
dialog{box-sizing:border-box;border:0;width:min(100% - 2rem,var(--rapport-width,24rem));padding:1.5rem;border-radius:var(--rapport-radius,.5rem);font:1rem/1.5 var(--rapport-font,system-ui);background:var(--rapport-background,Canvas);color:var(--rapport-color,CanvasText)}
dialog::backdrop{background:var(--rapport-backdrop,#0009)}
form,label{display:grid;gap:1rem}
h2,p,fieldset,legend,input{margin:0;padding:0;border:0}
h2{font-size:1.25rem}
label{gap:.25rem}
fieldset label{display:flex;align-items:center;gap:.5rem;min-height:2.25rem}
button,[part=input]{box-sizing:border-box;min-height:2.75rem;padding:0 1rem;border:1px solid #767676;border-radius:var(--rapport-radius,.5rem);font:inherit;background:none;color:inherit}
[part~=submit]{border:0;background:var(--rapport-accent,#0b57d0);color:var(--rapport-on-accent,#fff)}
[aria-disabled=true]{opacity:.6}
[part=error]:not(:empty){padding:0 1rem;border-inline-start:.25rem solid var(--rapport-error,#d93025)}
[part=actions]{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:end}
[hidden]{display:none!important}`
