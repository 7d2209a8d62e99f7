// Turkish. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

const errors: Locale['errors'] = {
  cancelled: { title: 'İptal edildi', message: 'İşlem iptal edildi.' },
  invalidInput: {
    title: 'Girdiğiniz bilgileri kontrol edin',
    message: ({ detail }) => detail || 'İşaretli alanları düzeltin.',
  },
  refused: { title: 'Olmadı', message: ({ detail }) => detail || 'Hizmet bunu reddetti.' },
  signInFailed: { title: 'Oturum açılamadı', message: 'Girdiğiniz bilgileri kontrol edip yeniden deneyin.' },
  codeRefused: { title: 'Kabul edilmedi', message: 'Girdiğinizi kontrol edip yeniden deneyin.' },
  codeExpired: { title: 'Doğrulamanın süresi doldu', message: 'Doğrulamanın süresi doldu. Baştan başlayın.' },
  mfaFailed: {
    title: 'Doğrulama başarısız',
    message: ({ count }) => `${count === 1 ? 'Yanıt' : `${count} yanıt`} kabul edilmedi. Baştan başlayın.`,
  },
  mfaRequired: { title: 'Doğrulama gerekiyor', message: 'Siz olduğunuzu doğrulayın.' },
  signedOut: { title: 'Oturum kapandı', message: 'Devam etmek için oturum açın.' },
  forbidden: { title: 'İzin verilmiyor', message: ({ detail }) => detail || 'Bunu yapma izniniz yok.' },
  notFound: { title: 'Bulunamadı', message: ({ detail }) => detail || 'Böyle bir şey yok veya artık yok.' },
  rateLimited: {
    title: 'Çok fazla deneme',
    message: ({ when }) => `${when('tr') ?? 'Daha sonra'} yeniden deneyin.`,
  },
  accountDisabled: {
    title: 'Hesap devre dışı',
    message: 'Bu hesap devre dışı bırakılmış. Geri yüklemek ister misiniz?',
  },
  accountDeleted: {
    title: 'Hesap silinmek üzere işaretli',
    message: 'Bu hesap silinmek üzere işaretlenmiş. Geri yüklemek ister misiniz?',
  },
  serviceDown: { title: 'Hizmet kullanılamıyor', message: 'Hizmette bir sorun var. Daha sonra yeniden deneyin.' },
  offline: { title: 'Çevrimdışısınız', message: 'Bağlantınızı kontrol edip yeniden deneyin.' },
  unreachable: { title: 'Bağlantı yok', message: 'Hizmete ulaşılamıyor. Yeniden deneyin.' },
  corsSuspected: { title: 'Bağlantı yok', message: 'Hizmete ulaşılamıyor. Yeniden deneyin.' },
  timeout: { title: 'Zaman aşımı', message: 'Bu çok uzun sürdü. Yeniden deneyin.' },
  unreadable: {
    title: 'Beklenmeyen yanıt',
    message: 'Değişikliğiniz kaydedilmiş olabilir. Görmek için sayfayı yenileyin.',
  },
  passkeyUnsupported: {
    title: 'Geçiş anahtarları kullanılamıyor',
    message: 'Bu cihaz veya tarayıcı burada geçiş anahtarı kullanamıyor.',
  },
  passkeyFailed: {
    title: 'Geçiş anahtarı çalışmadı',
    message: 'Geçiş anahtarı çalışmadı. Yeniden deneyin veya başka bir yöntem kullanın.',
  },
  unexpected: { title: 'Bir sorun oluştu', message: 'Beklenmeyen bir hata oluştu.' },
  fields: {
    required: 'Zorunlu.',
    invalid_type: 'Bu değerin türü yanlış.',
    invalid_value: 'Bu değer burada kullanılamaz.',
    invalid_format: 'Bu değerin biçimi yanlış.',
    unknown_field: 'Bu alan bilinmiyor.',
    too_short: 'En az {limit} karakter girin.',
    too_long: 'En çok {limit} karakter girin.',
    too_few: 'En az {limit} tane seçin.',
    too_many: 'En çok {limit} tane seçin.',
    conflict: 'Bu değer başka bir alanla çelişiyor.',
    too_deep: 'İç içe çok fazla düzey var.',
  },
}

const attemptsLeft = (count: number) => `${count} deneme hakkınız kaldı.`
const repeated = 'Bu daha önce reddedildi. Başka bir tane girin.'

/** Turkish texts. Not reviewed by a native speaker. */
export const tr: Locale = {
  errors,
  dialog: {
    lang: 'tr',
    dir: 'ltr',
    title: ({ reason }) =>
      reason === 'login'
        ? 'Oturum açmayı doğrulayın'
        : reason === 'password_reset'
          ? 'Yeni parolanızı doğrulayın'
          : 'Siz olduğunuzu doğrulayın',
    operations: {
      'Logout Auth Sessions': 'Cihazların oturumunu kapat',
      'Create Handoff Token': 'Başka bir cihazda oturum aç',
      'Publish Application Widget Config': 'Bir araç yayınla',
      'Delete Application Widget Config': 'Bir aracı sil',
    },
    choose: 'Doğrulama yöntemi',
    methods: {
      totp: {
        name: 'Kimlik doğrulama uygulaması',
        hint: 'Kimlik doğrulama uygulamanızdaki kodu girin.',
        label: 'Kod',
      },
      sms: { name: 'SMS', hint: 'SMS ile bir kod isteyin ve girin.', label: 'Kod' },
      backup: { name: 'Yedek kod', hint: 'Kullanılmamış bir kod girin.', label: 'Yedek kod' },
      password: { name: 'Parola', hint: 'Parolanızı girin.', label: 'Parola' },
      webauthn: {
        name: 'Geçiş anahtarı',
        hint: 'Geçiş anahtarınızı veya güvenlik anahtarınızı kullanın.',
        verify: 'Geçiş anahtarını kullan',
      },
    },
    noMethod: 'Bu hesabın bir doğrulama yöntemi yok.',
    send: 'Kod gönder',
    sendAgain: 'Yeniden gönder',
    sendAgainIn: (when) => `${when} yeniden gönder`,
    sending: 'Gönderiliyor…',
    sent: (phone) => `Kod ${phone} numarasına gönderildi.`,
    verify: 'Doğrula',
    verifyIn: (when) => `${when} yeniden dene`,
    verifying: 'Doğrulanıyor…',
    cancel: 'İptal',
    empty: 'Bu alanı doldurun.',
    digits: (count) => `Kodun ${count} rakamını girin.`,
    refused: 'Bu kabul edilmedi.',
    repeated,
    attemptsLeft,
    rateLimited: 'Çok fazla deneme.',
    unavailable: 'Hizmete ulaşılamıyor. Yeniden deneyin.',
    expired: 'Bu çok uzun sürdü. Devam etmek için yeniden doğrulayın.',
    failed: 'Olmadı. Yeniden deneyin.',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = { login: 'Oturum açmak', password_reset: 'Yeni parola', elevation: `“${endpoint}”` }
      return `${subject[reason]} için doğrulama gerekiyor.`
    },
    choices: {
      totp: 'Kimlik doğrulama uygulamanızdaki kod',
      sms: 'SMS ile kod gönder',
      backup: 'Yedek kod',
      password: 'Parola',
    },
    choose: (count, preset) => `1 ile ${count} arasında bir sayı [${preset}]`,
    prompts: {
      totp: 'Kimlik doğrulama uygulamanızdaki kod',
      sms: 'SMS ile gelen kod',
      backup: 'Yedek kod',
      password: 'Parola',
    },
    enter: {
      send: 'göndermek için Enter tuşu',
      sendAgain: 'yenisini göndermek için Enter tuşu',
      otherMethod: 'diğer yöntemler için Enter tuşu',
    },
    sent: (phone) => `${phone} numarasına gönderildi.`,
    sendAgainIn: (seconds) => `${seconds} sn sonra başka bir SMS gönderilebilir.`,
    attemptsLeft,
    repeated,
    closed: 'Artık yanıt gerekmiyor.',
    errors,
  },
}
