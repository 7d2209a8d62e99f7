// Modals of libraries and of the browser, each with a button that makes a sensitive call, below which the dialog opens.
import './page'
import Modal from '@mui/material/Modal'
import * as Radix from '@radix-ui/react-dialog'
import BootstrapModal from 'bootstrap/js/dist/modal'
import { createElement as h, type ReactElement, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'

declare global {
  interface Window {
    /** Opens the modal of a library. */
    openModal(library: string): void
  }
}

const act = () => window.startCall('stepUp')

/** The content of each modal, which is in the document while the modal is open. */
const content = (): ReactNode =>
  h(
    'div',
    { id: 'content' },
    h('input', { id: 'field' }),
    h('button', { type: 'button', id: 'act', onClick: act }, 'Act'),
  )

function contentElement(): HTMLElement {
  const element = document.createElement('div')
  element.id = 'content'
  const button = Object.assign(document.createElement('button'), { id: 'act', textContent: 'Act', onclick: act })
  element.append(Object.assign(document.createElement('input'), { id: 'field' }), button)
  return element
}

function RadixModal(): ReactElement {
  const title = h(Radix.Title, null, 'Modal')
  const body = h(Radix.Content, { 'aria-describedby': undefined }, title, content())
  return h(Radix.Root, { defaultOpen: true }, h(Radix.Portal, null, h(Radix.Overlay), body))
}

function MuiModal(): ReactElement {
  const [isOpen, setOpen] = useState(true)
  const body = h('div', { style: { background: '#fff' } }, content())
  return h(Modal, { open: isOpen, onClose: () => setOpen(false), children: body })
}

function openBootstrap(): void {
  const modal = document.createElement('div')
  modal.className = 'modal'
  modal.tabIndex = -1
  const dialog = Object.assign(document.createElement('div'), { className: 'modal-dialog' })
  dialog.append(contentElement())
  modal.append(dialog)
  document.body.append(modal)
  modal.addEventListener('hidden.bs.modal', () => modal.remove())
  new BootstrapModal(modal).show()
}

function openNative(): void {
  const dialog = document.createElement('dialog')
  dialog.append(contentElement())
  document.body.append(dialog)
  dialog.onclose = () => dialog.remove()
  dialog.showModal()
}

/** The browser closes popovers when a modal dialog opens outside of them. */
function openPopover(): void {
  const popover = document.createElement('div')
  popover.popover = 'auto'
  popover.append(contentElement())
  popover.addEventListener('toggle', () => popover.matches(':popover-open') || popover.remove())
  document.body.append(popover)
  Object.assign(window.dialogOptions, { parent: () => popover })
  popover.showPopover()
}

/** A component that closes its modal on Escape and on a press outside, as most libraries do, in a shadow root. */
function openShadow(): void {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  const element = contentElement()
  root.append(element)
  document.body.append(host)
  const close = (event: Event) => {
    const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
    if (!isEscape && event.composedPath().includes(host)) return
    host.remove()
    document.removeEventListener('keydown', close, true)
    document.removeEventListener('pointerdown', close, true)
  }
  document.addEventListener('keydown', close, true)
  document.addEventListener('pointerdown', close, true)
  Object.assign(window.dialogOptions, { parent: () => element })
}

function render(element: ReactElement): void {
  const root = document.createElement('div')
  document.body.append(root)
  createRoot(root).render(element)
}

const OPEN: Readonly<Record<string, () => void>> = {
  'Radix Dialog': () => render(h(RadixModal)),
  'MUI Modal': () => render(h(MuiModal)),
  'Bootstrap Modal': openBootstrap,
  'a native modal dialog': openNative,
  'a popover that is its parent': openPopover,
  'a component with a shadow root': openShadow,
}

window.openModal = (library) => OPEN[library]?.()
