// Spanish. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

const errors: Locale['errors'] = {
  cancelled: { title: 'Cancelado', message: 'La operación se ha cancelado.' },
  invalidInput: {
    title: 'Revisa los datos',
    message: ({ detail }) => detail || 'Corrige los campos señalados.',
  },
  refused: { title: 'No ha funcionado', message: ({ detail }) => detail || 'El servicio lo ha rechazado.' },
  signInFailed: { title: 'No se ha podido iniciar sesión', message: 'Revisa los datos e inténtalo de nuevo.' },
  codeRefused: { title: 'No aceptado', message: 'Revisa los datos e inténtalo de nuevo.' },
  codeExpired: { title: 'Verificación caducada', message: 'La verificación ha caducado. Empieza de nuevo.' },
  mfaFailed: {
    title: 'La verificación ha fallado',
    message: ({ count }) =>
      count === 1
        ? 'La respuesta no se ha aceptado. Empieza de nuevo.'
        : `No se han aceptado ${count} respuestas. Empieza de nuevo.`,
  },
  mfaRequired: { title: 'Verificación necesaria', message: 'Confirma que eres tú.' },
  signedOut: { title: 'Sesión cerrada', message: 'Inicia sesión para continuar.' },
  forbidden: { title: 'No permitido', message: ({ detail }) => detail || 'No tienes permiso para hacer esto.' },
  notFound: { title: 'No encontrado', message: ({ detail }) => detail || 'Esto no existe o ya no existe.' },
  rateLimited: {
    title: 'Demasiados intentos',
    message: ({ when }) => `Inténtalo de nuevo ${when('es') ?? 'más tarde'}.`,
  },
  accountDisabled: { title: 'Cuenta desactivada', message: 'Esta cuenta está desactivada. ¿Quieres recuperarla?' },
  accountDeleted: {
    title: 'Cuenta marcada para eliminarse',
    message: 'Esta cuenta está marcada para eliminarse. ¿Quieres recuperarla?',
  },
  serviceDown: { title: 'Servicio no disponible', message: 'El servicio tiene un problema. Inténtalo más tarde.' },
  offline: { title: 'Estás sin conexión', message: 'Revisa la conexión e inténtalo de nuevo.' },
  unreachable: { title: 'Sin conexión', message: 'No se puede acceder al servicio. Inténtalo de nuevo.' },
  corsSuspected: { title: 'Sin conexión', message: 'No se puede acceder al servicio. Inténtalo de nuevo.' },
  timeout: { title: 'Tiempo agotado', message: 'Ha tardado demasiado. Inténtalo de nuevo.' },
  unreadable: {
    title: 'Respuesta inesperada',
    message: 'Puede que el cambio se haya guardado. Vuelve a cargar la página para verlo.',
  },
  passkeyUnsupported: {
    title: 'Claves de acceso no disponibles',
    message: 'Este dispositivo o navegador no puede usar claves de acceso aquí.',
  },
  passkeyFailed: {
    title: 'La clave de acceso ha fallado',
    message: 'La clave de acceso no ha funcionado. Inténtalo de nuevo o usa otro método.',
  },
  unexpected: { title: 'Algo ha ido mal', message: 'Se ha producido un fallo inesperado.' },
  fields: {
    required: 'Obligatorio.',
    invalid_type: 'Este valor es de un tipo incorrecto.',
    invalid_value: 'Este valor no es posible aquí.',
    invalid_format: 'Este valor tiene un formato incorrecto.',
    unknown_field: 'Este campo es desconocido.',
    too_short: 'Escribe al menos {limit} caracteres.',
    too_long: 'Escribe como máximo {limit} caracteres.',
    too_few: 'Elige al menos {limit}.',
    too_many: 'Elige como máximo {limit}.',
    conflict: 'Este valor contradice otro campo.',
    too_deep: 'Hay demasiados niveles anidados.',
  },
}

const attemptsLeft = (count: number) => (count === 1 ? 'Queda 1 intento.' : `Quedan ${count} intentos.`)
const repeated = 'Esto ya se ha rechazado. Escribe otro.'

/** Spanish texts. Not reviewed by a native speaker. */
export const es: Locale = {
  errors,
  dialog: {
    lang: 'es',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login'
        ? 'Confirma el inicio de sesión'
        : reason === 'password_reset'
          ? 'Confirma la contraseña nueva'
          : 'Confirma que eres tú',
    operations: {
      'Logout Auth Sessions': 'Cerrar la sesión de dispositivos',
      'Create Handoff Token': 'Iniciar sesión en otro dispositivo',
      'Publish Application Widget Config': 'Publicar un widget',
      'Delete Application Widget Config': 'Eliminar un widget',
    },
    choose: 'Confirmar con',
    methods: {
      totp: {
        name: 'Aplicación de autenticación',
        hint: 'Escribe el código de tu aplicación de autenticación.',
        label: 'Código',
      },
      sms: { name: 'SMS', hint: 'Pide un código por SMS y escríbelo.', label: 'Código' },
      backup: { name: 'Código de reserva', hint: 'Escribe un código sin usar.', label: 'Código de reserva' },
      password: { name: 'Contraseña', hint: 'Escribe tu contraseña.', label: 'Contraseña' },
      webauthn: {
        name: 'Clave de acceso',
        hint: 'Usa tu clave de acceso o llave de seguridad.',
        verify: 'Usar clave de acceso',
      },
    },
    noMethod: 'Esta cuenta no tiene ningún método de confirmación.',
    send: 'Enviar un código',
    sendAgain: 'Enviar de nuevo',
    sendAgainIn: (when) => `Enviar de nuevo ${when}`,
    sending: 'Enviando…',
    sent: (phone) => `Código enviado a ${phone}.`,
    verify: 'Verificar',
    verifyIn: (when) => `Reintentar ${when}`,
    verifying: 'Verificando…',
    cancel: 'Cancelar',
    empty: 'Rellena este campo.',
    digits: (count) => `Escribe los ${count} dígitos del código.`,
    refused: 'No se ha aceptado.',
    repeated,
    attemptsLeft,
    rateLimited: 'Demasiados intentos.',
    unavailable: 'No se puede acceder al servicio. Inténtalo de nuevo.',
    expired: 'Ha tardado demasiado. Confirma otra vez para continuar.',
    failed: 'No ha funcionado. Inténtalo de nuevo.',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = {
        login: 'El inicio de sesión',
        password_reset: 'La contraseña nueva',
        elevation: `«${endpoint}»`,
      }
      return `${subject[reason]} requiere una verificación.`
    },
    choices: {
      totp: 'Código de tu aplicación de autenticación',
      sms: 'Enviar un código por SMS',
      backup: 'Código de reserva',
      password: 'Contraseña',
    },
    choose: (count, preset) => `Número del 1 al ${count} [${preset}]`,
    prompts: {
      totp: 'Código de tu aplicación de autenticación',
      sms: 'Código del SMS',
      backup: 'Código de reserva',
      password: 'Contraseña',
    },
    enter: {
      send: 'Intro lo envía',
      sendAgain: 'Intro envía otro',
      otherMethod: 'Intro muestra otros métodos',
    },
    sent: (phone) => `Enviado a ${phone}.`,
    sendAgainIn: (seconds) => `Se podrá enviar otro SMS en ${seconds} s.`,
    attemptsLeft,
    repeated,
    closed: 'Ya no hace falta una respuesta.',
    errors,
  },
}
