// Brazilian Portuguese. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

const errors: Locale['errors'] = {
  cancelled: { title: 'Cancelado', message: 'A operação foi cancelada.' },
  invalidInput: {
    title: 'Confira os dados',
    message: ({ detail }) => detail || 'Corrija os campos marcados.',
  },
  refused: { title: 'Não funcionou', message: ({ detail }) => detail || 'O serviço recusou isto.' },
  signInFailed: { title: 'Não foi possível entrar', message: 'Confira os dados e tente de novo.' },
  codeRefused: { title: 'Não aceito', message: 'Confira os dados e tente de novo.' },
  codeExpired: { title: 'Verificação expirada', message: 'A verificação expirou. Comece de novo.' },
  mfaFailed: {
    title: 'A verificação falhou',
    message: ({ count }) =>
      count === 1
        ? 'A resposta não foi aceita. Comece de novo.'
        : `${count} respostas não foram aceitas. Comece de novo.`,
  },
  mfaRequired: { title: 'Verificação necessária', message: 'Confirme que é você.' },
  signedOut: { title: 'Sessão encerrada', message: 'Entre para continuar.' },
  forbidden: { title: 'Não permitido', message: ({ detail }) => detail || 'Você não tem permissão para fazer isto.' },
  notFound: { title: 'Não encontrado', message: ({ detail }) => detail || 'Isto não existe ou não existe mais.' },
  rateLimited: {
    title: 'Tentativas demais',
    message: ({ when }) => `Tente de novo ${when('pt-BR') ?? 'mais tarde'}.`,
  },
  accountDisabled: { title: 'Conta desativada', message: 'Esta conta está desativada. Quer restaurá-la?' },
  accountDeleted: {
    title: 'Conta marcada para exclusão',
    message: 'Esta conta está marcada para exclusão. Quer restaurá-la?',
  },
  serviceDown: { title: 'Serviço indisponível', message: 'O serviço está com um problema. Tente mais tarde.' },
  offline: { title: 'Você está sem internet', message: 'Confira a conexão e tente de novo.' },
  unreachable: { title: 'Sem conexão', message: 'Não foi possível acessar o serviço. Tente de novo.' },
  corsSuspected: { title: 'Sem conexão', message: 'Não foi possível acessar o serviço. Tente de novo.' },
  timeout: { title: 'Tempo esgotado', message: 'Demorou demais. Tente de novo.' },
  unreadable: {
    title: 'Resposta inesperada',
    message: 'Talvez a alteração tenha sido salva. Recarregue a página para ver.',
  },
  passkeyUnsupported: {
    title: 'Chaves de acesso indisponíveis',
    message: 'Este dispositivo ou navegador não pode usar chaves de acesso aqui.',
  },
  passkeyFailed: {
    title: 'A chave de acesso falhou',
    message: 'A chave de acesso não funcionou. Tente de novo ou use outro método.',
  },
  unexpected: { title: 'Algo deu errado', message: 'Ocorreu um erro inesperado.' },
  fields: {
    required: 'Obrigatório.',
    invalid_type: 'Este valor é do tipo errado.',
    invalid_value: 'Este valor não é possível aqui.',
    invalid_format: 'Este valor está no formato errado.',
    unknown_field: 'Este campo é desconhecido.',
    too_short: 'Digite pelo menos {limit} caracteres.',
    too_long: 'Digite no máximo {limit} caracteres.',
    too_few: 'Escolha pelo menos {limit}.',
    too_many: 'Escolha no máximo {limit}.',
    conflict: 'Este valor contradiz outro campo.',
    too_deep: 'Há níveis aninhados demais.',
  },
}

const attemptsLeft = (count: number) => (count === 1 ? 'Resta 1 tentativa.' : `Restam ${count} tentativas.`)
const repeated = 'Isto já foi recusado. Digite outro.'

/** Brazilian Portuguese texts. Not reviewed by a native speaker. */
export const ptBR: Locale = {
  errors,
  dialog: {
    lang: 'pt-BR',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login'
        ? 'Confirme sua entrada'
        : reason === 'password_reset'
          ? 'Confirme sua nova senha'
          : 'Confirme que é você',
    operations: {
      'Logout Auth Sessions': 'Encerrar a sessão de dispositivos',
      'Create Handoff Token': 'Entrar em outro dispositivo',
      'Publish Application Widget Config': 'Publicar um widget',
      'Delete Application Widget Config': 'Excluir um widget',
    },
    choose: 'Confirmar com',
    methods: {
      totp: {
        name: 'Aplicativo de autenticação',
        hint: 'Digite o código do seu aplicativo de autenticação.',
        label: 'Código',
      },
      sms: { name: 'SMS', hint: 'Peça um código por SMS e digite-o.', label: 'Código' },
      backup: { name: 'Código reserva', hint: 'Digite um código não usado.', label: 'Código reserva' },
      password: { name: 'Senha', hint: 'Digite sua senha.', label: 'Senha' },
      webauthn: {
        name: 'Chave de acesso',
        hint: 'Use sua chave de acesso ou chave de segurança.',
        verify: 'Usar chave de acesso',
      },
    },
    noMethod: 'Esta conta não tem nenhum método de confirmação.',
    send: 'Enviar um código',
    sendAgain: 'Enviar de novo',
    sendAgainIn: (when) => `Enviar de novo ${when}`,
    sending: 'Enviando…',
    sent: (phone) => `Código enviado para ${phone}.`,
    verify: 'Verificar',
    verifyIn: (when) => `Tentar de novo ${when}`,
    verifying: 'Verificando…',
    cancel: 'Cancelar',
    empty: 'Preencha este campo.',
    digits: (count) => `Digite os ${count} dígitos do código.`,
    refused: 'Isto não foi aceito.',
    repeated,
    attemptsLeft,
    rateLimited: 'Tentativas demais.',
    unavailable: 'Não foi possível acessar o serviço. Tente de novo.',
    expired: 'Demorou demais. Confirme outra vez para continuar.',
    failed: 'Não funcionou. Tente de novo.',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = { login: 'A entrada', password_reset: 'A nova senha', elevation: `“${endpoint}”` }
      return `${subject[reason]} exige uma verificação.`
    },
    choices: {
      totp: 'Código do seu aplicativo de autenticação',
      sms: 'Enviar um código por SMS',
      backup: 'Código reserva',
      password: 'Senha',
    },
    choose: (count, preset) => `Número de 1 a ${count} [${preset}]`,
    prompts: {
      totp: 'Código do seu aplicativo de autenticação',
      sms: 'Código do SMS',
      backup: 'Código reserva',
      password: 'Senha',
    },
    enter: {
      send: 'a tecla Enter envia',
      sendAgain: 'a tecla Enter envia outro',
      otherMethod: 'a tecla Enter mostra outros métodos',
    },
    sent: (phone) => `Enviado para ${phone}.`,
    sendAgainIn: (seconds) => `Outro SMS poderá ser enviado em ${seconds} s.`,
    attemptsLeft,
    repeated,
    closed: 'A resposta não é mais necessária.',
    errors,
  },
}
