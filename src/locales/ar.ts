// Arabic. Not reviewed by a native speaker.
import type { Locale } from './locale'

export type { Locale } from './locale'

/** Returns a number with its noun: one, two, 3 to 10, 11 to 99, or other numbers. */
const plural = (count: number, one: string, two: string, few: string, many: string, other: string): string => {
  const form = new Intl.PluralRules('ar').select(count)
  if (form === 'one') return one
  if (form === 'two') return two
  return `${count} ${form === 'few' ? few : form === 'many' ? many : other}`
}

/** Returns a time to wait with “after” in place of the platform’s “within”. */
const after = (when: string | undefined) => when?.replace('خلال', 'بعد')

const errors: Locale['errors'] = {
  cancelled: { title: 'أُلغيت العملية', message: 'تم إلغاء العملية.' },
  invalidInput: {
    title: 'تحقق مما أدخلته',
    message: ({ detail }) => detail || 'صحّح الحقول المحددة.',
  },
  refused: { title: 'لم ينجح ذلك', message: ({ detail }) => detail || 'رفضت الخدمة هذا الطلب.' },
  signInFailed: { title: 'تعذّر تسجيل الدخول', message: 'تحقق مما أدخلته وحاول مرة أخرى.' },
  codeRefused: { title: 'غير مقبول', message: 'تحقق مما أدخلته وحاول مرة أخرى.' },
  codeExpired: { title: 'انتهت صلاحية التحقق', message: 'انتهت صلاحية التحقق. ابدأ من جديد.' },
  mfaFailed: {
    title: 'فشل التحقق',
    message: ({ count }) =>
      count === 1 ? 'لم تُقبل الإجابة. ابدأ من جديد.' : `عدد الإجابات غير المقبولة: ${count}. ابدأ من جديد.`,
  },
  mfaRequired: { title: 'التحقق مطلوب', message: 'أكّد أنك صاحب الحساب.' },
  signedOut: { title: 'تم تسجيل الخروج', message: 'سجّل الدخول للمتابعة.' },
  forbidden: { title: 'غير مسموح', message: ({ detail }) => detail || 'ليس لديك إذن للقيام بذلك.' },
  notFound: { title: 'غير موجود', message: ({ detail }) => detail || 'هذا غير موجود أو لم يعد موجودًا.' },
  rateLimited: {
    title: 'محاولات كثيرة جدًا',
    // In place of "within": that is too early.
    message: ({ when }) => `حاول مرة أخرى ${after(when('ar-u-nu-latn')) ?? 'لاحقًا'}.`,
  },
  accountDisabled: { title: 'الحساب معطّل', message: 'هذا الحساب معطّل. هل تريد استعادته؟' },
  accountDeleted: { title: 'الحساب مقرر حذفه', message: 'هذا الحساب مقرر حذفه. هل تريد استعادته؟' },
  serviceDown: { title: 'الخدمة غير متاحة', message: 'في الخدمة مشكلة. حاول مرة أخرى لاحقًا.' },
  offline: { title: 'أنت غير متصل بالإنترنت', message: 'تحقق من اتصالك وحاول مرة أخرى.' },
  unreachable: { title: 'لا يوجد اتصال', message: 'تعذّر الوصول إلى الخدمة. حاول مرة أخرى.' },
  corsSuspected: { title: 'لا يوجد اتصال', message: 'تعذّر الوصول إلى الخدمة. حاول مرة أخرى.' },
  timeout: { title: 'انتهت المهلة', message: 'استغرق هذا وقتًا طويلًا. حاول مرة أخرى.' },
  unreadable: { title: 'استجابة غير متوقعة', message: 'ربما حُفظ التغيير. أعد تحميل الصفحة لترى ذلك.' },
  passkeyUnsupported: {
    title: 'مفاتيح المرور غير متاحة',
    message: 'لا يمكن لهذا الجهاز أو المتصفح استخدام مفاتيح المرور هنا.',
  },
  passkeyFailed: {
    title: 'فشل مفتاح المرور',
    message: 'لم يعمل مفتاح المرور. حاول مرة أخرى أو استخدم طريقة أخرى.',
  },
  unexpected: { title: 'حدث خطأ ما', message: 'حدث خطأ غير متوقع.' },
  fields: {
    required: 'مطلوب.',
    invalid_type: 'نوع هذه القيمة غير صحيح.',
    invalid_value: 'هذه القيمة غير ممكنة هنا.',
    invalid_format: 'صيغة هذه القيمة غير صحيحة.',
    unknown_field: 'هذا الحقل غير معروف.',
    too_short: 'الحد الأدنى لعدد الأحرف: {limit}.',
    too_long: 'الحد الأقصى لعدد الأحرف: {limit}.',
    too_few: 'الحد الأدنى للاختيارات: {limit}.',
    too_many: 'الحد الأقصى للاختيارات: {limit}.',
    conflict: 'هذه القيمة تتعارض مع حقل آخر.',
    too_deep: 'مستويات التداخل كثيرة جدًا.',
  },
}

const attemptsLeft = (count: number) =>
  `المتبقي: ${plural(count, 'محاولة واحدة', 'محاولتان', 'محاولات', 'محاولة', 'محاولة')}.`
const repeated = 'سبق رفض هذا. أدخل غيره.'

/** Arabic texts. Not reviewed by a native speaker. */
export const ar: Locale = {
  errors,
  dialog: {
    lang: 'ar',
    dir: 'rtl',
    title: ({ reason }) =>
      reason === 'login'
        ? 'أكّد تسجيل الدخول'
        : reason === 'password_reset'
          ? 'أكّد كلمة المرور الجديدة'
          : 'أكّد أنك صاحب الحساب',
    operations: {
      'Logout Auth Sessions': 'تسجيل الخروج من أجهزة',
      'Create Handoff Token': 'تسجيل الدخول على جهاز آخر',
      'Publish Application Widget Config': 'نشر أداة',
      'Delete Application Widget Config': 'حذف أداة',
    },
    choose: 'طريقة التأكيد',
    methods: {
      totp: { name: 'تطبيق المصادقة', hint: 'أدخل الرمز من تطبيق المصادقة.', label: 'الرمز' },
      sms: { name: 'رسالة نصية', hint: 'اطلب رمزًا برسالة نصية ثم أدخله.', label: 'الرمز' },
      backup: { name: 'رمز احتياطي', hint: 'أدخل رمزًا لم يُستخدم.', label: 'الرمز الاحتياطي' },
      password: { name: 'كلمة المرور', hint: 'أدخل كلمة المرور.', label: 'كلمة المرور' },
      webauthn: {
        name: 'مفتاح مرور',
        hint: 'استخدم مفتاح المرور أو مفتاح الأمان.',
        verify: 'استخدام مفتاح المرور',
      },
    },
    noMethod: 'لا توجد طريقة تأكيد لهذا الحساب.',
    send: 'إرسال رمز',
    sendAgain: 'إعادة الإرسال',
    sendAgainIn: (when) => `إعادة الإرسال ${after(when)}`,
    sending: 'جارٍ الإرسال…',
    // The isolates keep the number in its order.
    sent: (phone) => `أُرسل الرمز إلى \u2068${phone}\u2069.`,
    verify: 'تحقق',
    verifyIn: (when) => `حاول ${after(when)}`,
    verifying: 'جارٍ التحقق…',
    cancel: 'إلغاء',
    empty: 'املأ هذا الحقل.',
    digits: (count) => `أدخل أرقام الرمز كلها (${count}).`,
    refused: 'لم يُقبل هذا.',
    repeated,
    attemptsLeft,
    rateLimited: 'محاولات كثيرة جدًا.',
    unavailable: 'تعذّر الوصول إلى الخدمة. حاول مرة أخرى.',
    expired: 'استغرق هذا وقتًا طويلًا. أكّد مرة أخرى للمتابعة.',
    failed: 'لم ينجح ذلك. حاول مرة أخرى.',
  },
  prompt: {
    title: ({ reason, endpoint }) => {
      const subject = {
        login: 'تسجيل الدخول',
        password_reset: 'تغيير كلمة المرور',
        elevation: `«\u2068${endpoint}\u2069»`,
      }
      return `${subject[reason]} يتطلب التحقق.`
    },
    choices: {
      totp: 'رمز تطبيق المصادقة',
      sms: 'إرسال رمز برسالة نصية',
      backup: 'رمز احتياطي',
      password: 'كلمة المرور',
    },
    choose: (count, preset) => `رقم من 1 إلى ${count} [${preset}]`,
    prompts: {
      totp: 'رمز تطبيق المصادقة',
      sms: 'الرمز من الرسالة النصية',
      backup: 'رمز احتياطي',
      password: 'كلمة المرور',
    },
    enter: {
      send: 'مفتاح الإدخال يرسله',
      sendAgain: 'مفتاح الإدخال يرسل غيره',
      otherMethod: 'مفتاح الإدخال يعرض طرقًا أخرى',
    },
    sent: (phone) => `أُرسل إلى \u2068${phone}\u2069.`,
    sendAgainIn: (seconds) => `يمكن إرسال رسالة أخرى بعد ${seconds} ث.`,
    attemptsLeft,
    repeated,
    closed: 'لم تعد هناك حاجة إلى إجابة.',
    errors,
  },
}
