// Modals and menus of libraries that only `npm run frameworks` installs, which builds this page in their folder.
import * as Headless from '@headlessui/react'
import * as Menu from '@radix-ui/react-dropdown-menu'
import { createElement as h, type ReactElement, type ReactNode, useState } from 'react'
import * as Aria from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { createApp, ref, h as vue } from 'vue'
import { createVuetify } from 'vuetify'
import { VApp, VDialog } from 'vuetify/components'
import 'vuetify/styles'

const act = () => window.startCall('stepUp')

const content = (): ReactNode =>
  h(
    'div',
    { id: 'content' },
    h('input', { id: 'field' }),
    h('button', { type: 'button', id: 'act', onClick: act }, 'Act'),
  )

function HeadlessDialog(): ReactElement {
  const [isOpen, setOpen] = useState(true)
  return h(Headless.Dialog, { open: isOpen, onClose: setOpen }, h(Headless.DialogPanel, null, content()))
}

function AriaModal(): ReactElement {
  const dialog = h(Aria.Dialog, { 'aria-label': 'Modal' }, content())
  return h(Aria.ModalOverlay, { defaultOpen: true, isDismissable: true }, h(Aria.Modal, null, dialog))
}

/** A menu whose item keeps it open. */
function RadixMenu(): ReactElement {
  const onSelect = (event: Event) => {
    event.preventDefault()
    act()
  }
  const items = h('div', { id: 'content' }, h(Menu.Item, { id: 'act', onSelect }, 'Act'))
  const portal = h(Menu.Portal, null, h(Menu.Content, null, items))
  return h(Menu.Root, { defaultOpen: true }, h(Menu.Trigger, null, 'Menu'), portal)
}

function openVuetify(): void {
  const isOpen = ref(true)
  const onUpdate = (next: boolean) => {
    isOpen.value = next
  }
  const body = () =>
    vue('div', { id: 'content' }, [vue('input', { id: 'field' }), vue('button', { id: 'act', onClick: act }, 'Act')])
  const dialog = () => vue(VDialog, { modelValue: isOpen.value, 'onUpdate:modelValue': onUpdate }, { default: body })
  const app = createApp({ render: () => vue(VApp, null, { default: dialog }) })
  app.use(createVuetify()).mount(document.body.appendChild(document.createElement('div')))
}

function render(element: ReactElement): void {
  createRoot(document.body.appendChild(document.createElement('div'))).render(element)
}

const OPEN: Readonly<Record<string, () => void>> = {
  'Headless UI Dialog': () => render(h(HeadlessDialog)),
  'React Aria Modal': () => render(h(AriaModal)),
  'Radix DropdownMenu': () => render(h(RadixMenu)),
  'Vuetify Dialog': openVuetify,
}

window.openModal = (library) => OPEN[library]?.()
