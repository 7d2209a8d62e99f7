// Modals and menus of libraries that only `npm run frameworks` installs, which builds this page in their folder.
import * as Headless from '@headlessui/react'
import * as Menu from '@radix-ui/react-dropdown-menu'
import PrimeVue from 'primevue/config'
import PrimeDialog from 'primevue/dialog'
import { Dialog } from 'radix-ui'
import { createElement as h, type ReactElement, type ReactNode, useState } from 'react'
import * as Aria from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { Drawer } from 'vaul'
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

/** The parts of shadcn/ui's Dialog, Sheet and AlertDialog. */
function ShadcnDialog(): ReactElement {
  const overlay = h(Dialog.Overlay, { style: { position: 'fixed', inset: 0, background: '#0008' } })
  const style = { position: 'fixed', inset: '30% 30% auto', background: '#fff' } as const
  const title = h(Dialog.Title, null, 'Modal')
  const body = h(Dialog.Content, { 'aria-describedby': undefined, style }, title, content())
  return h(Dialog.Root, { defaultOpen: true }, h(Dialog.Portal, null, overlay, body))
}

/** The parts of shadcn/ui's Drawer. */
function ShadcnDrawer(): ReactElement {
  const style = { position: 'fixed', inset: 'auto 0 0', background: '#fff' } as const
  const title = h(Drawer.Title, null, 'Modal')
  const body = h(Drawer.Content, { 'aria-describedby': undefined, style }, title, content())
  return h(Drawer.Root, { defaultOpen: true }, h(Drawer.Portal, null, h(Drawer.Overlay), body))
}

/** State and content of a modal of Vue. */
function vueModal() {
  const isOpen = ref(true)
  const body = () =>
    vue('div', { id: 'content' }, [vue('input', { id: 'field' }), vue('button', { id: 'act', onClick: act }, 'Act')])
  const onUpdate = (next: boolean) => {
    isOpen.value = next
  }
  return { isOpen, onUpdate, slots: { default: body } }
}

const mount = () => document.body.appendChild(document.createElement('div'))

function openVuetify(): void {
  const { isOpen, onUpdate, slots } = vueModal()
  const dialog = () => vue(VDialog, { modelValue: isOpen.value, 'onUpdate:modelValue': onUpdate }, slots)
  const app = createApp({ render: () => vue(VApp, null, { default: dialog }) })
  app.use(createVuetify()).mount(mount())
}

function openPrimeVue(): void {
  const { isOpen, onUpdate, slots } = vueModal()
  const props = { modal: true, dismissableMask: true, header: 'Modal', 'onUpdate:visible': onUpdate }
  const app = createApp({ render: () => vue(PrimeDialog, { ...props, visible: isOpen.value }, slots) })
  app.use(PrimeVue, { unstyled: true }).mount(mount())
}

function render(element: ReactElement): void {
  createRoot(mount()).render(element)
}

const OPEN: Readonly<Record<string, () => void>> = {
  'Headless UI Dialog': () => render(h(HeadlessDialog)),
  'React Aria Modal': () => render(h(AriaModal)),
  'Radix DropdownMenu': () => render(h(RadixMenu)),
  'shadcn/ui Dialog': () => render(h(ShadcnDialog)),
  'shadcn/ui Drawer': () => render(h(ShadcnDrawer)),
  'Vuetify Dialog': openVuetify,
  'PrimeVue Dialog': openPrimeVue,
}

window.openModal = (library) => OPEN[library]?.()
