// The part of Bootstrap that the page uses; its types are a package of their own.
declare module 'bootstrap/js/dist/modal' {
  export default class Modal {
    constructor(element: Element)
    show(): void
  }
}
